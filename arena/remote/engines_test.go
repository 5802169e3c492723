package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/gametest"
)

// shipping is an engine of two files on its way to a worker.
type shipping struct {
	dir   string
	spec  arena.EngineSpec
	shelf *Engines
	came  int // files
}

// write writes files with these texts.
func write(t *testing.T, texts map[string]string) {
	t.Helper()
	for path, text := range texts {
		gametest.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o700)))
	}
}

func ship(t *testing.T) *shipping {
	t.Helper()
	s := &shipping{dir: t.TempDir(), shelf: &Engines{Cache: filepath.Join(t.TempDir(), "shipped")}}
	program, net := filepath.Join(s.dir, "engine"), filepath.Join(s.dir, "net.bin")
	write(t, map[string]string{program: "#!/bin/sh\n", net: strings.Repeat("weights", pieceSize/4)}) // two pieces
	s.spec = specOf(t, nil, program, "--net="+net, "quick")
	ship, err := Shipment([]arena.EngineSpec{{Builtin: true}, s.spec, s.spec})
	if err != nil || len(ship) != 2 || ship[s.spec.Hashed[1].Sum] != net {
		t.Fatal(ship, err)
	}
	return s
}

// specOf is an engine as its host sees it.
func specOf(t *testing.T, patterns []string, command ...string) arena.EngineSpec {
	t.Helper()
	hashed, err := files.Of(command, "", patterns)
	gametest.OK(t, err)
	return arena.EngineSpec{Name: "own", Command: command, Hashed: hashed, Binary: files.Digest(hashed)}
}

// receive finds the engine, or takes it from its host.
func (s *shipping) receive() error {
	_, err := find(s.shelf, s.spec, func(sum string, at int64) ([]byte, error) {
		if at == 0 {
			s.came++
		}
		i := slices.IndexFunc(s.spec.Hashed, func(f files.File) bool { return f.Sum == sum })
		return readPiece(s.spec.Hashed[i].Path, at)
	})
	return err
}

// find finds it without its host.
func (s *shipping) find() (arena.EngineSpec, error) { return find(s.shelf, s.spec, nil) }

func find(shelf *Engines, e arena.EngineSpec, fetch Fetch) (arena.EngineSpec, error) {
	e.Command = slices.Clone(e.Command)
	engines := []arena.EngineSpec{e}
	err := shelf.Find(engines, fetch)
	return engines[0], err
}

// An engine that comes from its host is found by its hash, in a folder of that name, and
// comes once.
func TestShipped(t *testing.T) {
	s := ship(t)
	if _, err := s.find(); err == nil || !strings.Contains(err.Error(), arena.Short(s.spec.Binary)) {
		t.Errorf("before it came: %v", err)
	}
	for range 2 {
		gametest.OK(t, s.receive())
	}
	if s.came != 2 {
		t.Errorf("%d files came", s.came)
	}
	place := filepath.Join(s.shelf.Cache, s.spec.Binary)
	e, err := s.find()
	if want := fmt.Sprint([]string{filepath.Join(place, "engine"), "--net=" + filepath.Join(place, "net.bin"), "quick"}); err != nil || fmt.Sprint(e.Command) != want || e.Dir != place {
		t.Errorf("%v in %s, %v", e.Command, e.Dir, err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "engine": 0o700, "net.bin": 0o600, "..": 0o700} {
		if info, err := os.Stat(filepath.Join(place, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	if left, err := os.ReadDir(s.shelf.Cache); err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}

	// A byte that has changed in the cache: it is not started, and comes again.
	gametest.OK(t, os.WriteFile(filepath.Join(place, "engine"), []byte("#!/bin/ls\n"), 0o700))
	if e, err := s.find(); err == nil || !strings.Contains(err.Error(), arena.Short(s.spec.Binary)) {
		t.Errorf("%v, %v", e.Command, err)
	}
	if err := s.receive(); err != nil || s.came != 4 {
		t.Errorf("%d files came, %v", s.came, err)
	}
	if _, err := s.find(); err != nil {
		t.Error(err)
	}

	s.shelf.Cache = ""
	if e, err := s.find(); err == nil {
		t.Errorf("nothing is accepted, and found: %v", e.Command)
	}
}

// What is not what it says is not kept.
func TestShippedLies(t *testing.T) {
	named := func(name string) func(e *arena.EngineSpec) {
		return func(e *arena.EngineSpec) { e.Hashed[1].Name, e.Hashed[1].Beside, e.Command = name, true, e.Command[:1] }
	}
	for name, tt := range map[string]struct {
		change func(e *arena.EngineSpec)
		came   string
		want   string
	}{
		"a changed byte":      {nil, "#!/bin/ls\n", "the host sent another engine: engine with SHA-256 "},
		"more":                {nil, "#!/bin/sh\n\n", "the host sent another engine: engine with SHA-256 "},
		"another sum":         {func(e *arena.EngineSpec) { e.Hashed[1].Sum = e.Hashed[0].Sum }, "", "its files have SHA-256 "},
		"no sum":              {func(e *arena.EngineSpec) { e.Hashed, e.Hashed[0].Sum = e.Hashed[:1], "../../x" }, "", "its files have SHA-256 "},
		"another engine":      {func(e *arena.EngineSpec) { e.Binary = "../x" }, "", `it is "../x"`},
		"no file":             {func(e *arena.EngineSpec) { e.Hashed = nil }, "", "no program with a hash"},
		"a path":              {named("../net.bin"), "", `"../net.bin" is in a folder of another machine`},
		"two of one name":     {named("engine"), "", "file exists"},
		"no program":          {func(e *arena.EngineSpec) { e.Hashed[0].Name = "/" }, "", `its file "/" is in a folder of another machine`},
		"too large":           {nil, "large", "engine: the host sends over 256 MiB"},
		"a network of no use": {nil, "error", "the host is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			s := ship(t)
			if tt.change != nil {
				tt.change(&s.spec)
				if !strings.HasPrefix(name, "another") {
					s.spec.Binary = files.Digest(s.spec.Hashed)
				}
			}
			_, err := find(s.shelf, s.spec, func(string, int64) ([]byte, error) {
				switch tt.came {
				case "error":
					return nil, errors.New("the host is gone")
				case "large":
					return make([]byte, mostShipped+1), nil
				}
				return []byte(tt.came), nil
			})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if left, err := os.ReadDir(s.shelf.Cache); err == nil && len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// No host fills the disk of a worker with engines.
func TestHoleShippedWithoutEnd(t *testing.T) {
	s := ship(t)
	old := filepath.Join(s.shelf.Cache, "old")
	write(t, map[string]string{old: ""})
	if err := os.Truncate(old, mostCached-mostShipped+1); err != nil { // it takes no room
		t.Fatal(err)
	}
	if err := s.receive(); err == nil || !strings.Contains(err.Error(), "remove some, or the folder") || s.came > 0 {
		t.Errorf("%d files came, %v", s.came, err)
	}
	gametest.OK(t, os.Truncate(old, mostCached-mostShipped))
	if err := s.receive(); err != nil {
		t.Error(err)
	}
}

// A sandbox lets an engine read what its command and its variables name: those of a
// shipped engine name nothing of this machine.
func TestShippedReach(t *testing.T) {
	for name, change := range map[string]func(e *arena.EngineSpec){
		"an argument":       func(e *arena.EngineSpec) { e.Command[2] = "/etc/passwd" },
		"a flag":            func(e *arena.EngineSpec) { e.Command[2] = "--log=../secret" },
		"the folder of all": func(e *arena.EngineSpec) { e.Command[2] = "--nets=net.bin:.." },
		"a list":            func(e *arena.EngineSpec) { e.Command[2] = "net.bin:/etc/passwd" },
		"a variable":        func(e *arena.EngineSpec) { e.Env = []string{"X=/etc/net.bin"} },
		"the network":       func(e *arena.EngineSpec) { e.Network = true },
		"further files":     func(e *arena.EngineSpec) { e.Read = []string{"/etc"} },
		"its own code":      func(e *arena.EngineSpec) { e.Env = []string{"LD_PRELOAD=x.so"} },
	} {
		s := ship(t)
		gametest.OK(t, s.receive())
		if _, err := s.find(); err != nil {
			t.Fatal(err)
		}
		change(&s.spec)
		if e, err := s.find(); err == nil {
			t.Errorf("%s: %v", name, e.Command)
		}
	}
	s := ship(t) // with a file that has the name of one of this machine
	s.spec.Command[2] = "/etc/passwd"
	beside := s.spec.Hashed[0]
	beside.Name, beside.Beside = "passwd", true
	s.spec.Hashed = append(s.spec.Hashed, beside)
	s.spec.Binary = files.Digest(s.spec.Hashed)
	if err := s.receive(); err == nil {
		t.Error("a file beside: it comes")
	}
	s = ship(t)
	gametest.OK(t, os.WriteFile(filepath.Join(s.dir, "engine"), nil, 0o700))
	if _, err := Shipment([]arena.EngineSpec{s.spec}); err == nil || !strings.Contains(err.Error(), "engine own cannot be shipped: ") || !strings.Contains(err.Error(), "is of another size") {
		t.Error(err)
	}
	s.spec.Git = "."
	if _, err := Shipment([]arena.EngineSpec{s.spec}); err == nil || !strings.Contains(err.Error(), "built from git") {
		t.Error(err)
	}
}

// Other machines find or get the files beside a script, too.
func TestFilesBesideElsewhere(t *testing.T) {
	folder := func() string {
		dir := t.TempDir()
		write(t, map[string]string{filepath.Join(dir, "bot"): "#!/usr/bin/env python3\n", filepath.Join(dir, "eval.py"): "eval", filepath.Join(dir, "lib", "book.py"): "book"})
		return dir
	}
	dir, other := folder(), folder()
	whole := specOf(t, nil, filepath.Join(dir, "bot"))
	if len(whole.Hashed) != 3 || whole.Hashed[2].Name != "lib/book.py" {
		t.Fatalf("%+v", whole.Hashed)
	}
	write(t, map[string]string{filepath.Join(other, "more.py"): ""})
	there := &Engines{Dir: other}
	if _, err := find(there, whole, nil); err != nil {
		t.Error(err)
	}
	write(t, map[string]string{filepath.Join(other, "eval.py"): "changed"})
	if _, err := find(there, whole, nil); err == nil || !strings.Contains(err.Error(), "is needed: that of") {
		t.Error(err)
	}
}

// A worker tells nobody whether a file outside its folder is a certain one.
func TestHoleEnginesLooksOnlyInItsFolder(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	write(t, map[string]string{filepath.Join(dir, "engine"): "x", secret: "y"})
	if e, err := find(&Engines{Dir: dir}, specOf(t, nil, filepath.Join(dir, "engine"), secret), nil); err == nil {
		t.Errorf("found with a file of elsewhere: %q", e.Command)
	}
}

// A worker plays a built-in player only with the host's program, whatever the version.
func TestBuiltinElsewhere(t *testing.T) {
	dir := t.TempDir()
	here, newer := filepath.Join(dir, "thera"), filepath.Join(dir, "newer")
	write(t, map[string]string{here: here, newer: newer})
	e := specOf(t, []string{}, here, "engine", "nim")
	e.Builtin, e.Binary = true, "nim one"
	if found, err := find(&Engines{Self: here}, e, nil); err != nil || found.Binary != "nim one" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := find(&Engines{Self: newer}, e, nil); err == nil || !strings.Contains(err.Error(), "it is built into thera ") {
		t.Errorf("another program of the same player: %v", err)
	}
	// The program is more than its players.
	for _, words := range [][]string{{}, {"engine"}, {"vs", "sh -c id", "builtin"}, {"rate", "/etc/passwd"}, {"engine", "mill", "tables"}} {
		other := e
		other.Command = append([]string{here}, words...)
		if found, err := find(&Engines{Self: here}, other, nil); err == nil {
			t.Errorf("it starts %q", found.Command)
		}
	}
	e.Hashed = nil
	if _, err := find(&Engines{Self: here}, e, nil); err == nil {
		t.Error("a program that is not named is accepted")
	}
}

// A host has none of its programs started by naming a rules engine.
func TestHoleRulesEngineOfAHost(t *testing.T) {
	w := &Worker{Say: func(text string) { t.Log(text) }}
	w.Prepare = func(info *arena.RunInfo, _ []arena.EngineSpec, _ Fetch) (*Prepared, error) {
		if program := info.Plan.Law.Program(); program != nil {
			t.Errorf("it would start %q", program.Command)
		}
		return nil, errors.New("this run is not played")
	}
	s := &serving{Worker: w, joined: &task{done: make(chan struct{})}}
	s.ctx, s.cancel = context.WithCancelCause(t.Context())
	s.cancel(nil)
	s.serve(&terms{Info: arena.RunInfo{Plan: arena.Plan{Law: arena.RulesEngine{Command: []string{"sh"}}}}})
	if s.joined.err == nil {
		t.Error("the run was not prepared")
	}
}
