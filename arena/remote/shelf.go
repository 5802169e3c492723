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
type Shelf struct {
	Self  string // this program
	Dir   string // "": no folder
	Cache string // of shipped engines; "": none are accepted
}

// Find makes engines of another machine's run start here. An engine is the SHA-256 of
// its program and of the files that its command names: with another one it is another
// engine. A built-in engine needs the same thera. The error names both. Paths and
// processors of the other machine mean nothing here.
func (s *Shelf) Find(engines []arena.EngineSpec) error {
	var errs []error
	for i := range engines {
		e := &engines[i]
		if err := s.find(e); err != nil {
			errs = append(errs, fmt.Errorf("engine %s: %w", e.Name, err))
		}
		e.CPUs = nil
	}
	return errors.Join(errs...)
}

func (s *Shelf) find(e *arena.EngineSpec) error {
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
	name := filepath.Base(e.Command[0])
	err := fmt.Errorf("it is the program %s with SHA-256 %s, and no folder of engines was given (--engines DIR)",
		name, arena.Short(e.Binary))
	if s.Dir != "" {
		err = lookUp(e, s.Dir)
	}
	if err == nil || s.Cache == "" || !isSum(e.Binary) || !s.inCache(e, name) {
		return err
	}
	return s.shipped(e)
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

// shipped finds an engine in the cache. Its command must not name what is on this
// machine: a sandbox lets an engine read what its command and its variables name.
func (s *Shelf) shipped(e *arena.EngineSpec) error {
	if e.Network {
		return errors.New("shipped engines get no network")
	}
	for i, word := range append(append([]string{}, e.Env...), e.Command[1:]...) {
		own := i >= len(e.Env) && s.inCache(e, filepath.Base(word)) // it is replaced by the path here
		if strings.ContainsAny(word, `/\`) && !own {
			return fmt.Errorf("%.100q may name a file of this machine, and a shipped engine has only its own", word)
		}
	}
	place := filepath.Join(s.Cache, e.Binary)
	if err := lookUp(e, place); err != nil {
		return err
	}
	e.Dir = place
	return nil
}

func (s *Shelf) inCache(e *arena.EngineSpec, name string) bool {
	return files.IsRegular(filepath.Join(s.Cache, e.Binary, name))
}
