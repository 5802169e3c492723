package remote

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"thera/arena"
	"thera/arena/files"
)

// Shelf is where a worker finds the engines of runs of other machines: this program,
// a folder of engines that it was given, and engines that were shipped by hosts.
// Nothing else is ever started.
//
// An engine that is shipped has a folder of its own there, named by its hash, with mode 0700. A
// file that is not what it says is never kept.
type Shelf struct {
	Self  string // this program
	Dir   string // "": no folder
	Cache string // of shipped engines; "": none are accepted
}

// Find makes engines of another machine's run start here. An engine is the SHA-256 of
// its program and of the files that its command names: with another one it is another
// engine. A built-in engine needs the same thera. The error names both. Paths and
// processors of the other machine mean nothing here. With fetch, engines that are
// accepted and not here are fetched.
func (s *Shelf) Find(engines []arena.EngineSpec, fetch Fetch) error {
	var errs []error
	for i := range engines {
		if err := s.find(&engines[i], fetch); err != nil {
			errs = append(errs, fmt.Errorf("engine %s: %w", engines[i].Name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Shelf) find(e *arena.EngineSpec, fetch Fetch) error {
	e.CPUs = nil
	for _, word := range e.Env {
		if strings.HasPrefix(word, "LD_") || strings.HasPrefix(word, "DYLD_") {
			name, _, _ := strings.Cut(word, "=")
			return fmt.Errorf("env %s would load other code than that of the engine", name)
		}
	}
	switch {
	case len(e.Command) == 0 || len(e.Hashed) == 0:
		return errors.New("it has no command, or no program with a hash")
	case len(e.Read)+len(e.Write) > 0:
		return errors.New("read: and write: are paths of another machine")
	case e.Builtin:
		return s.builtin(e)
	case files.Digest(e.Hashed) != e.Binary:
		return fmt.Errorf("its files have SHA-256 %s, and it is %.64q", arena.Short(files.Digest(e.Hashed)), e.Binary)
	}
	err := fmt.Errorf("it is the program %s with SHA-256 %s, and no folder of engines was given (--engines DIR)",
		path.Base(filepath.ToSlash(e.Command[0])), arena.Short(e.Binary))
	if s.Dir != "" {
		err = use(e, s.Dir)
	}
	if err != nil && s.Cache != "" {
		return s.shipped(e, fetch, err)
	}
	return err
}

// builtin checks that the engine of a host's program is that of this one. Its first file
// is the program, which also has the rules.
func (s *Shelf) builtin(e *arena.EngineSpec) error {
	sum, err := files.Sum(s.Self)
	if err != nil {
		return err
	}
	if theirs := e.Hashed[0].Sum; sum != theirs {
		return fmt.Errorf("it is built into thera %s, and this is thera %s", arena.Short(theirs), arena.Short(sum))
	}
	e.Command[0], e.Dir, e.Hashed = s.Self, "", []files.File{{Name: s.Self, Path: s.Self, Sum: sum}}
	return nil
}

// use makes an engine start from a folder of this machine that has its files: the program under its
// name or any other one, the others under theirs. What else is on this machine is not looked at: a host
// could learn it.
func use(e *arena.EngineSpec, dir string) error {
	var list []files.File
	own := map[string]string{} // paths here, by names in the command
	for i, f := range e.Hashed {
		name := inFolder(f)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("its file %.200q is in a folder of another machine", f.Name)
		}
		here, what := filepath.Join(dir, name), "file "+name
		sum, err := files.Sum(here)
		if i == 0 {
			what = "program " + name
		}
		if i == 0 && sum != f.Sum {
			if other := bySum(dir, f.Sum); other != "" {
				here, sum, err = other, f.Sum, nil
			}
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s with SHA-256 %s is needed: it is not in %s", what, arena.Short(f.Sum), dir)
		case sum != f.Sum:
			return fmt.Errorf("%s with SHA-256 %s is needed: that of %s has %s", what, arena.Short(f.Sum), dir, arena.Short(sum))
		case !f.Beside:
			own[name] = here
		}
		f.Path = here
		list = append(list, f)
	}
	e.Command[0] = list[0].Path
	for i, word := range e.Command[1:] {
		flag, at := files.Argument(word)
		if here := own[path.Base(filepath.ToSlash(at))]; here != "" {
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

// bySum is a file of a folder with a hash; "" if there is none.
func bySum(dir, sum string) string {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if at := filepath.Join(dir, entry.Name()); files.IsRegular(at) {
			if got, err := files.Sum(at); err == nil && got == sum {
				return at
			}
		}
	}
	return ""
}
