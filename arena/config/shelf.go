package config

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
// engine. A built-in engine needs the same thera. The error names both. Paths and processors of the other machine mean nothing
// here.
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
		sum, err := files.Sum(s.Self)
		theirs := ""
		if len(e.Hashed) > 0 { // the program, which also has the rules
			theirs = e.Hashed[0].Sum
		}
		switch {
		case err != nil:
			return err
		case sum != theirs:
			return fmt.Errorf("it is built into thera %s, and this is thera %s", arena.Short(theirs), arena.Short(sum))
		}
		e.Command[0], e.Dir = s.Self, ""
		e.Hashed = []files.File{{Name: s.Self, Sum: sum, Path: s.Self}}
		return nil
	}
	err := fmt.Errorf("it is the program %s with SHA-256 %s, and no folder of engines was given (--engines DIR)", filepath.Base(e.Command[0]), arena.Short(e.Binary))
	if s.Dir != "" {
		err = s.lookUp(e, s.Dir)
	}
	if err == nil || s.Cache == "" {
		return err
	}
	if !isSum(e.Binary) || !s.inCache(e.Binary, filepath.Base(e.Command[0])) {
		return err
	}
	return s.shipped(e)
}

// lookUp finds an engine in a folder, first by its name and then by its hash.
func (s *Shelf) lookUp(e *arena.EngineSpec, dir string) error {
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
		info, err := os.Stat(program)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		command, hashed, err := command(dir, program, e)
		switch sum := digest(hashed); {
		case err != nil:
			return err
		case sum == e.Binary:
			e.Command, e.Out, e.Hashed = command, "", hashed
			if e.Dir != "" {
				e.Dir = dir
			}
			return nil
		case candidate == name:
			has = "that of " + dir + " has " + arena.Short(digest(hashed))
		}
	}
	return fmt.Errorf("program %s with SHA-256 %s is needed: %s", name, arena.Short(e.Binary), has)
}

// command is a program with the arguments of an engine, of which those that name files
// of the folder name them there. hashed are these files and those beside them.
func command(dir, program string, e *arena.EngineSpec) (command []string, hashed []files.File, err error) {
	add := func(name, path string, beside bool) {
		sum, failed := files.Sum(path)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s %w", path, failed))
		}
		hashed = append(hashed, files.File{Name: name, Sum: sum, Beside: beside, Path: path})
	}
	command = []string{program}
	add(program, program, false)
	for _, word := range e.Command[1:] {
		flag, value, joined := strings.Cut(word, "=")
		if !joined || !strings.HasPrefix(word, "-") {
			flag, value, joined = "", word, false
		}
		path := filepath.Join(dir, filepath.Base(value))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && value != "" {
			add(path, path, false)
			if word = path; joined {
				word = flag + "=" + path
			}
		}
		command = append(command, word)
	}
	for _, f := range e.Hashed {
		switch {
		case !f.Beside:
		case !filepath.IsLocal(filepath.FromSlash(f.Name)):
			return nil, nil, fmt.Errorf("its file %.200q is in a folder of another machine", f.Name)
		default:
			add(f.Name, filepath.Join(dir, filepath.FromSlash(f.Name)), true)
		}
	}
	return command, hashed, err
}
