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

// Engines finds a worker's engines for the runs of other machines: this program, those in a
// folder that the user named, and those that hosts shipped. A worker starts no others.
//
// A shipped engine has a folder in Cache with mode 0700, named by its hash. Files with another
// hash are never kept.
type Engines struct {
	Self  string // this program
	Dir   string // "" for no folder
	Cache string // of shipped engines, "" to accept none

	coming atomic.Int64 // engines that are being fetched
}

// Bounds of a shipped engine, and of all that are kept.
const (
	mostShipped = 256 << 20 // bytes of its files
	mostFiles   = 64
	mostCached  = 4 << 30 // bytes
)

// Find changes the engines of another machine's run so that they start here. An engine is
// identified by the SHA-256 of its program and of the files that its command names. A built-in
// engine needs the same thera. If a hash differs, the error names both. Paths and processors of
// the other machine are ignored. If fetch is not nil, engines that are missing are fetched.
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

// use changes an engine so that it starts from a folder of this machine that has its files under
// their names. It looks at no other files, because a host could learn about them.
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

// inFolder returns the name of a file of an engine in a folder that has all of its files.
func inFolder(f files.File) string {
	if f.Beside {
		return filepath.FromSlash(f.Name)
	}
	return path.Base(filepath.ToSlash(f.Name))
}

// shipped finds an engine in the cache, or fetches it. Its command must not name files of this
// machine, because a sandbox lets an engine read what its command and its variables name.
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

// receive fetches the files of an engine into a new folder. If their hashes are right, the folder
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
		return fmt.Errorf("the host sent another engine: %w", err)
	}
	if err := os.RemoveAll(e.Dir); err != nil { // it was changed
		return err
	}
	err = os.Rename(dir, e.Dir)
	if _, there := os.Stat(e.Dir); there == nil { // or another worker was first
		return nil
	}
	return err
}

// receive fetches a file of at most left bytes, and subtracts its size from left.
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
			err = fmt.Errorf("the host sends over %d MiB", mostShipped>>20)
			break
		}
		_, err = out.Write(data)
	}
	return errors.Join(err, out.Close())
}
