package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"thera/arena"
)

// shipping is an engine of two files on its way to a shelf.
type shipping struct {
	t     *testing.T
	dir   string
	spec  arena.EngineSpec
	files []ShippedFile
	shelf *Shelf
	came  int // files
}

func ship(t *testing.T) *shipping {
	t.Helper()
	s := &shipping{t: t, dir: t.TempDir(), shelf: &Shelf{Cache: filepath.Join(t.TempDir(), "shipped")}}
	for name, text := range map[string]string{"engine": "#!/bin/sh\n", "net.bin": "weights"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program, net := filepath.Join(s.dir, "engine"), filepath.Join(s.dir, "net.bin")
	sum, err := hashOf(program, []string{net})
	if err != nil {
		t.Fatal(err)
	}
	s.spec = arena.EngineSpec{Name: "own", Command: []string{program, "--net=" + net, "quick"}, Binary: sum}
	if s.files, err = Shipment([]arena.EngineSpec{{Builtin: true}, s.spec, s.spec}, s.dir); err != nil {
		t.Fatal(err)
	}
	return s
}

// fetch reads a file of the host.
func (s *shipping) fetch(f ShippedFile, to io.Writer) error {
	s.came++
	data, err := os.ReadFile(f.Path)
	if err == nil {
		_, err = to.Write(data)
	}
	return err
}

func (s *shipping) find() (arena.EngineSpec, error) {
	engines := []arena.EngineSpec{s.spec}
	engines[0].Command = append([]string{}, s.spec.Command...)
	err := s.shelf.Find(engines)
	return engines[0], err
}

// An engine that comes from its host is found by its hash, in a folder of its own, and
// comes once.
func TestShipped(t *testing.T) {
	s := ship(t)
	if len(s.files) != 2 || s.files[0].Name != "engine" || s.files[1].Name != "net.bin" {
		t.Fatalf("%+v", s.files)
	}
	if _, err := s.find(); err == nil || !strings.Contains(err.Error(), arena.Short(s.spec.Binary)) {
		t.Errorf("before it came: %v", err)
	}
	for range 2 {
		if err := s.shelf.Receive(s.files, s.fetch); err != nil {
			t.Fatal(err)
		}
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
		if info, err := os.Stat(filepath.Join(place, name)); err != nil || info.Mode().Perm() != want && runtime.GOOS != "windows" {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	if left, err := os.ReadDir(s.shelf.Cache); err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}

	// A byte that has changed in the cache: it is not started, and comes again.
	if err := os.WriteFile(filepath.Join(place, "engine"), []byte("#!/bin/ls\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if e, err := s.find(); err == nil || !strings.Contains(err.Error(), "is needed: that of "+place+" has ") {
		t.Errorf("%v, %v", e.Command, err)
	}
	if err := s.shelf.Receive(s.files, s.fetch); err != nil || s.came != 4 {
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
	for name, tt := range map[string]struct {
		change func(f []ShippedFile)
		came   string
		want   string
	}{
		"a changed byte":      {nil, "#!/bin/ls\n", "what came as engine has SHA-256 "},
		"less":                {nil, "#!/bin/sh", "what came as engine has SHA-256 "},
		"more":                {nil, "#!/bin/sh\n\n", "more bytes came than were announced"},
		"another sum":         {func(f []ShippedFile) { f[1].Sum = f[0].Sum }, "", "its files have SHA-256 "},
		"no sum":              {func(f []ShippedFile) { f[1].Sum = "../../x" }, "", `"../../x" is no SHA-256`},
		"another engine":      {func(f []ShippedFile) { f[0].Engine, f[1].Engine = "../x", "../x" }, "", `it is "../x"`},
		"a path":              {func(f []ShippedFile) { f[1].Name = "../net.bin" }, "", `a file cannot be called "../net.bin"`},
		"a hidden file":       {func(f []ShippedFile) { f[1].Name = ".net" }, "", `a file cannot be called ".net"`},
		"no name":             {func(f []ShippedFile) { f[1].Name = "" }, "", `a file cannot be called ""`},
		"two of one name":     {func(f []ShippedFile) { f[1].Name = "engine" }, "", "two files are called engine"},
		"too large":           {func(f []ShippedFile) { f[1].Size = mostShipped + 1 }, "", "expected at most 256 MiB"},
		"too large together":  {func(f []ShippedFile) { f[0].Size, f[1].Size = mostShipped, 1 }, "", "at most 256 MiB"},
		"less than no bytes":  {func(f []ShippedFile) { f[1].Size = -1 }, "", "expected at most 256 MiB"},
		"a network of no use": {nil, "error", "the host is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			s := ship(t)
			if tt.change != nil {
				tt.change(s.files)
			}
			err := s.shelf.Receive(s.files, func(_ ShippedFile, to io.Writer) error {
				if tt.came == "error" {
					return errors.New("the host is gone")
				}
				_, err := io.WriteString(to, tt.came)
				return err
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

// A sandbox lets an engine read what its command and its variables name: those of a
// shipped engine name nothing of this machine.
func TestShippedReach(t *testing.T) {
	for name, change := range map[string]func(e *arena.EngineSpec){
		"an argument":   func(e *arena.EngineSpec) { e.Command[2] = "/etc/passwd" },
		"a flag":        func(e *arena.EngineSpec) { e.Command[2] = "--log=../secret" },
		"a list":        func(e *arena.EngineSpec) { e.Command[2] = "net.bin:/etc/passwd" },
		"a variable":    func(e *arena.EngineSpec) { e.Env = []string{"X=/etc/net.bin"} },
		"the network":   func(e *arena.EngineSpec) { e.Network = true },
		"further files": func(e *arena.EngineSpec) { e.Read = []string{"/etc"} },
		"its own code":  func(e *arena.EngineSpec) { e.Env = []string{"LD_PRELOAD=x.so"} },
	} {
		s := ship(t)
		if err := s.shelf.Receive(s.files, s.fetch); err != nil {
			t.Fatal(err)
		}
		if _, err := s.find(); err != nil {
			t.Fatal(err)
		}
		change(&s.spec)
		if e, err := s.find(); err == nil {
			t.Errorf("%s: %v", name, e.Command)
		}
	}
	s := ship(t)
	if err := os.WriteFile(filepath.Join(s.dir, "engine"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Shipment([]arena.EngineSpec{s.spec}, s.dir); err == nil || !strings.Contains(err.Error(), "engine own cannot be shipped: its files have SHA-256 ") {
		t.Error(err)
	}
	s.spec.Git = "."
	if _, err := Shipment([]arena.EngineSpec{s.spec}, s.dir); err == nil || !strings.Contains(err.Error(), "built from git") {
		t.Error(err)
	}
}
