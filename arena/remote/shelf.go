package remote

import (
	"errors"
	"fmt"
	"os"
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
		e := &engines[i]
		if err := s.find(e, fetch); err != nil {
			errs = append(errs, fmt.Errorf("engine %s: %w", e.Name, err))
		}
		e.CPUs = nil
	}
	return errors.Join(errs...)
}

func (s *Shelf) find(e *arena.EngineSpec, fetch Fetch) error {
	if len(e.Command) == 0 {
		return errors.New("it has no command")
	}
	for _, word := range e.Env {
		if strings.HasPrefix(word, "LD_") || strings.HasPrefix(word, "DYLD_") {
			name, _, _ := strings.Cut(word, "=")
			return fmt.Errorf("env %s would load other code than that of the engine", name)
		}
	}
	if len(e.Read)+len(e.Write) > 0 {
		return errors.New("read: and write: are paths of another machine")
	}
	if e.Builtin {
		return s.builtin(e)
	}
	err := fmt.Errorf("it is the program %s with SHA-256 %s, and no folder of engines was given (--engines DIR)",
		filepath.Base(e.Command[0]), arena.Short(e.Binary))
	if s.Dir != "" {
		err = lookUp(e, s.Dir)
	}
	if err == nil || s.Cache == "" {
		return err
	}
	list, unfit := flat(e)
	switch {
	case unfit != nil:
		return errors.Join(err, fmt.Errorf("it is not taken from its host: %w", unfit))
	case fetch == nil && !kept(filepath.Join(s.Cache, e.Binary), list):
		return err
	}
	return s.shipped(e, list, fetch)
}

// builtin checks that the engine of a host's program is that of this one. Its first file
// is the program, which also has the rules.
func (s *Shelf) builtin(e *arena.EngineSpec) error {
	here, err := files.List("", []string{s.Self}, nil)
	if err != nil {
		return err
	}
	sum, theirs := files.Digest(here), ""
	if len(e.Hashed) > 0 {
		theirs = e.Hashed[0].Sum
	}
	if sum != theirs {
		return fmt.Errorf("it is built into thera %s, and this is thera %s", arena.Short(theirs), arena.Short(sum))
	}
	e.Command[0], e.Dir, e.Hashed = s.Self, "", here
	return nil
}

// lookUp finds an engine in a folder, first by its name and then by its hash.
func lookUp(e *arena.EngineSpec, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	name := filepath.Base(e.Command[0])
	names := []string{name}
	for _, entry := range entries {
		if entry.Name() != name {
			names = append(names, entry.Name())
		}
	}
	has := "it is not there"
	for _, candidate := range names {
		program := filepath.Join(dir, candidate)
		if !files.IsRegular(program) {
			continue
		}
		command, hashed, err := inFolder(dir, program, e)
		switch sum := files.Digest(hashed); {
		case err != nil:
			return err
		case sum == e.Binary:
			e.Command, e.Out, e.Hashed = command, "", hashed
			if e.Dir != "" {
				e.Dir = dir
			}
			return nil
		case candidate == name:
			has = "that of " + dir + " has " + arena.Short(sum)
		}
	}
	return fmt.Errorf("program %s with SHA-256 %s is needed: %s", name, arena.Short(e.Binary), has)
}

// inFolder is a program with the arguments of an engine, of which those that name files
// of the folder name them there. hashed are these files and those beside them. What else
// is on this machine is not looked at: a host could learn it from the hash.
func inFolder(dir, program string, e *arena.EngineSpec) (command []string, hashed []files.File, err error) {
	command = []string{program}
	named, beside := []string{program}, []string{}
	for _, word := range e.Command[1:] {
		flag, path := files.Argument(word)
		if here := filepath.Join(dir, filepath.Base(path)); files.IsRegular(here) {
			named = append(named, here)
			word = flag + here
		}
		command = append(command, word)
	}
	for _, f := range e.Hashed {
		local := filepath.FromSlash(f.Name)
		switch {
		case !f.Beside:
		case !filepath.IsLocal(local):
			return nil, nil, fmt.Errorf("its file %.200q is in a folder of another machine", f.Name)
		default:
			beside = append(beside, filepath.Join(dir, local))
		}
	}
	hashed, err = files.List(dir, named, beside)
	return command, hashed, err
}
