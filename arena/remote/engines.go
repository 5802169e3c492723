package remote

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"thera/arena"
	"thera/arena/files"
)

// Engines is where a worker finds the engines of runs of other machines: this program,
// a folder of engines that it was given, and engines that were shipped by hosts.
// Nothing else is ever started.
//
// An engine that is shipped has a folder there, named by its hash, with mode 0700. A
// file that is not what it says is never kept.
type Engines struct {
	Self  string // this program
	Dir   string // "": no folder
	Cache string // of shipped engines; "": none are accepted

	coming atomic.Int64 // engines that are being fetched
}

// Bounds of an engine that is shipped, and of all that are kept.
const (
	mostShipped = 256 << 20 // bytes of its files
	mostFiles   = 64
	mostCached  = 4 << 30 // bytes
)

// Find makes engines of another machine's run start here. An engine is the SHA-256 of
// its program and of the files that its command names: with another one it is another
// engine. A built-in engine needs the same thera. The error names both. Paths and
// processors of the other machine mean nothing here. With fetch, engines that are
// accepted and not here are fetched.
func (s *Engines) Find(engines []arena.EngineSpec, fetch Fetch) error {
	var errs []error
	for i := range engines {
		if err := s.find(&engines[i], fetch); err != nil {
			errs = append(errs, fmt.Errorf("engine %s: %w", engines[i].Name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Engines) find(e *arena.EngineSpec, fetch Fetch) error {
	e.CPUs = nil
	switch digest := files.Digest(e.Hashed); {
	case slices.ContainsFunc(e.Env, func(v string) bool {
		return strings.HasPrefix(v, "LD_") || strings.HasPrefix(v, "DYLD_")
	}):
		return errors.New("env: it would load other code than that of the engine")
	case len(e.Command) == 0 || len(e.Hashed) == 0:
		return errors.New("it has no command, or no program with a hash")
	case len(e.Read)+len(e.Write) > 0:
		return errors.New("read: and write: are paths of another machine")
	case e.Builtin && (len(e.Command) != 3 || e.Command[1] != "engine"): // the program has other commands
		return fmt.Errorf("%.200q starts no built-in engine", e.Command)
	case e.Builtin: // its first file is the program, which also has the rules
		sum, err := files.Sum(s.Self)
		if theirs := e.Hashed[0].Sum; err == nil && sum != theirs {
			err = fmt.Errorf("it is built into thera %s, and this is thera %s", arena.Short(theirs), arena.Short(sum))
		}
		e.Command[0], e.Dir, e.Hashed = s.Self, "", []files.File{{Name: s.Self, Path: s.Self, Sum: sum}}
		return err
	case digest != e.Binary || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "":
		return fmt.Errorf("its files have SHA-256 %s, and it is %.64q", arena.Short(digest), e.Binary)
	}
	for _, f := range e.Hashed {
		if !filepath.IsLocal(inFolder(f)) {
			return fmt.Errorf("its file %.200q is in a folder of another machine", f.Name)
		}
	}
	err := fmt.Errorf("it is the program %s with SHA-256 %s, and no folder of engines was given (--engines DIR)",
		path.Base(filepath.ToSlash(e.Command[0])), arena.Short(e.Binary))
	if s.Dir != "" {
		err = use(e, s.Dir)
	}
	if err != nil && s.Cache != "" {
		return s.shipped(e, fetch)
	}
	return err
}

// use makes an engine start from a folder of this machine that has its files under their names. What else is on
// this machine is not looked at: a host could learn it.
func use(e *arena.EngineSpec, dir string) error {
	list := slices.Clone(e.Hashed)
	paths := map[string]string{} // here, by names in the command
	for i := range list {
		f := &list[i]
		name := inFolder(*f)
		f.Path = filepath.Join(dir, name)
		sum, err := files.Sum(f.Path)
		switch {
		case err != nil:
			return fmt.Errorf("%s with SHA-256 %s is needed: it is not in %s", name, arena.Short(f.Sum), dir)
		case sum != f.Sum:
			return fmt.Errorf("%s with SHA-256 %s is needed: that of %s has %s", name, arena.Short(f.Sum), dir, arena.Short(sum))
		case !f.Beside:
			paths[name] = f.Path
		}
	}
	e.Command[0] = list[0].Path
	for i, word := range e.Command[1:] {
		flag, at := files.Argument(word)
		if here := paths[path.Base(filepath.ToSlash(at))]; here != "" {
			e.Command[i+1] = flag + here
		}
	}
	e.Hashed, e.Out = list, ""
	if e.Dir != "" {
		e.Dir = dir
	}
	return nil
}

// inFolder is how a file of an engine is called in a folder that has all of them.
func inFolder(f files.File) string {
	if f.Beside {
		return filepath.FromSlash(f.Name)
	}
	return path.Base(filepath.ToSlash(f.Name))
}

// shipped finds an engine in the cache, or fetches it. Its command must not name what is on this
// machine: a sandbox lets an engine read what its command and its variables name.
func (s *Engines) shipped(e *arena.EngineSpec, fetch Fetch) error {
	if e.Network {
		return errors.New("shipped engines get no network")
	}
	for i, word := range slices.Concat(e.Command[1:], e.Env) {
		shipped := slices.ContainsFunc(e.Hashed, func(f files.File) bool {
			return !f.Beside && inFolder(f) == filepath.Base(word)
		})
		above := slices.Contains(strings.FieldsFunc(word, func(r rune) bool { return r == '=' || r == ':' }), "..")
		if above || strings.ContainsAny(word, `/\`) && (i >= len(e.Command)-1 || !shipped) {
			return fmt.Errorf("%.100q may name a file of this machine, and a shipped engine has only its own", word)
		}
	}
	e.Dir = filepath.Join(s.Cache, e.Binary)
	err := use(e, e.Dir)
	if err != nil && fetch != nil {
		if err = s.receive(e, fetch); err == nil {
			err = use(e, e.Dir)
		}
	}
	return err
}

// receive fetches the files of an engine into a new folder. If they are what they should be, that
// gets its name.
func (s *Engines) receive(e *arena.EngineSpec, fetch Fetch) error {
	if len(e.Hashed) > mostFiles {
		return fmt.Errorf("it has %d files, expected at most %d", len(e.Hashed), mostFiles)
	}
	if err := os.MkdirAll(s.Cache, 0o700); err != nil {
		return err
	}
	coming := mostShipped * s.coming.Add(1)
	defer s.coming.Add(-1)
	if coming+files.Size(s.Cache) > mostCached {
		return fmt.Errorf("the engines in %s have more than %d MiB: remove some, or the folder", s.Cache, (mostCached-mostShipped)>>20)
	}
	dir, err := os.MkdirTemp(s.Cache, "new-") // its mode is 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	left := int64(mostShipped)
	for i, f := range e.Hashed {
		mode := os.FileMode(0o600)
		if i == 0 {
			mode = 0o700
		}
		if err := receive(filepath.Join(dir, inFolder(f)), mode, f.Sum, &left, fetch); err != nil {
			return fmt.Errorf("%s: %w", inFolder(f), err)
		}
	}
	came := *e
	came.Command = slices.Clone(e.Command)
	if err := use(&came, dir); err != nil {
		return fmt.Errorf("what came is another engine: %w", err)
	}
	if err := os.RemoveAll(e.Dir); err != nil { // one that was changed
		return err
	}
	err = os.Rename(dir, e.Dir)
	if _, there := os.Stat(e.Dir); there == nil { // or another worker was first
		return nil
	}
	return err
}

// receive fetches a file of at most left bytes, which it counts.
func receive(name string, mode os.FileMode, sum string, left *int64, fetch Fetch) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	for at, data := int64(0), []byte(nil); err == nil && (at == 0 || len(data) == pieceSize); at += pieceSize {
		if data, err = fetch(sum, at); err != nil {
			break
		}
		if *left -= int64(len(data)); *left < 0 {
			err = fmt.Errorf("over %d MiB come", mostShipped>>20)
			break
		}
		_, err = out.Write(data)
	}
	return errors.Join(err, out.Close())
}
