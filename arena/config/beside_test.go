package config

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/arena"
)

// scripts makes a folder with these files, and returns how the hash of an engine of it
// is found.
func scripts(t *testing.T, names ...string) (dir string, hash func(engine string) (string, error)) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		text := name
		if !strings.Contains(name, ".") {
			text = "#!/usr/bin/env python3\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	host := testHost(t)
	host.Dir = dir
	return dir, func(engine string) (string, error) {
		plan, err := Parse(filepath.Join(dir, "m.yaml"), []byte("game: nim\nengines: [{name: a, "+engine+"}, {name: b, builtin: true}]\n"), nil, host)
		if err != nil {
			return "", err
		}
		return plan.Engines[0].Binary, nil
	}
}

func change(t *testing.T, path string) (back func()) {
	t.Helper()
	was, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(slices.Clone(was), " changed"...), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.WriteFile(path, was, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// A module that a script imports is part of its engine, and so is what files: names.
func TestHole11ModulesAreInTheHash(t *testing.T) {
	dir, hash := scripts(t, "bot.py", "bot", "eval.py", "lib/deep/book.py", "net.bin", "nets/a/b.bin", "other.js", ".hidden.py", "__pycache__/x.py", "venv/pyvenv.cfg", "venv/lib.py")
	for engine, want := range map[string]string{
		"command: [python3, bot.py]":                            "bot.py eval.py lib/deep/book.py",
		"command: [./bot]":                                      "bot bot.py eval.py lib/deep/book.py",
		"command: [python3, bot.py], files: [net.bin, nets]":    "bot.py net.bin nets/a/b.bin",
		"command: [./bot], files: ['*.js', 'nets/*/*']":         "bot other.js nets/a/b.bin",
		"command: [python3, bot.py], files: []":                 "bot.py",
		"command: [sh, -c, 'true', net.bin]":                    "net.bin",
		"command: [python3, bot.py], dir: lib, files: [lib/..]": "",
	} {
		before, err := hash(engine)
		if err != nil {
			if want != "" {
				t.Errorf("%s: %v", engine, err)
			}
			continue
		}
		for _, name := range []string{"bot.py", "bot", "eval.py", "lib/deep/book.py", "net.bin", "nets/a/b.bin", "other.js", ".hidden.py", "__pycache__/x.py", "venv/lib.py"} {
			if want == "" {
				continue
			}
			back := change(t, filepath.Join(dir, filepath.FromSlash(name)))
			after, err := hash(engine)
			back()
			if err != nil || (after != before) != slices.Contains(strings.Fields(want), name) {
				t.Errorf("%s: %s changed, the hash changed: %v, %v", engine, name, after != before, err)
			}
		}
	}
	if _, err := hash("command: [python3, bot.py], files: [nosuch/*]"); err == nil || !strings.Contains(err.Error(), "no file matches") {
		t.Error(err)
	}
	for i := range mostBeside + 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.py", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := hash("command: [python3, bot.py]"); err == nil || !strings.Contains(err.Error(), "over 500 files or 64 MiB, expected files: with those that it reads") {
		t.Error(err)
	}
}

// Other machines find or get the files beside a script, too.
func TestFilesBesideElsewhere(t *testing.T) {
	dir, _ := scripts(t, "bot", "eval.py", "lib/book.py")
	spec := func(files ...string) arena.EngineSpec {
		e := arena.EngineSpec{Name: "a", Command: []string{filepath.Join(dir, "bot")}, Files: files}
		var err error
		if e.Hashed, err = Hashed(&e, dir); err != nil {
			t.Fatal(err)
		}
		e.Binary = digest(e.Hashed)
		return e
	}
	whole, flat := spec(), spec(filepath.Join(dir, "eval.py"))
	if len(whole.Hashed) != 3 || whole.Hashed[2].Name != "lib/book.py" {
		t.Fatalf("%+v", whole.Hashed)
	}
	find := func(shelf *Shelf, e arena.EngineSpec) error {
		e.Command = slices.Clone(e.Command)
		return shelf.Find([]arena.EngineSpec{e})
	}
	other, _ := scripts(t, "bot", "eval.py", "lib/book.py", "more.py")
	there := &Shelf{Dir: other}
	if err := find(there, whole); err != nil {
		t.Error(err)
	}
	change(t, filepath.Join(other, "eval.py"))
	if err := find(there, whole); err == nil || !strings.Contains(err.Error(), "is needed: that of") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(other, "eval.py")); err != nil {
		t.Fatal(err)
	}
	if err := find(there, whole); err == nil || !strings.Contains(err.Error(), "eval.py") {
		t.Error(err)
	}
	out := whole
	out.Hashed = slices.Clone(whole.Hashed)
	out.Hashed[1].Name = "../eval.py"
	if err := find(there, out); err == nil || !strings.Contains(err.Error(), "is in a folder of another machine") {
		t.Error(err)
	}

	if _, err := Shipment([]arena.EngineSpec{whole}, dir); err == nil || !strings.Contains(err.Error(), `"lib/book.py" is in another folder`) {
		t.Error(err)
	}
	list, err := Shipment([]arena.EngineSpec{flat}, dir)
	if err != nil || len(list) != 2 || !list[1].Beside {
		t.Fatal(list, err)
	}
	shelf := &Shelf{Cache: t.TempDir()}
	err = shelf.Receive(list, func(f ShippedFile, to io.Writer) error {
		text, err := os.ReadFile(f.Path)
		if err == nil {
			_, err = to.Write(text)
		}
		return err
	})
	if err == nil {
		err = find(shelf, flat)
	}
	if err != nil {
		t.Error(err)
	}
}
