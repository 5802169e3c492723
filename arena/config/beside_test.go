package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// scripts makes a folder with these files, and returns how the hash of an engine of it
// is found.
func scripts(t *testing.T, names ...string) (dir string, hash func(engine string) (string, error)) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		text := name
		if !strings.Contains(name, ".") {
			text = "#!/usr/bin/env python3\n"
		}
		write(t, dir, map[string]string{name: text})
	}
	host := testHost(t)
	host.Dir = dir
	return dir, func(engine string) (string, error) {
		text := "game: nim\nengines: [{name: a, " + engine + "}, {name: b, builtin: true}]\n"
		plan, err := Parse(filepath.Join(dir, "m.yaml"), []byte(text), nil, host)
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
	gametest.OK(t, err)
	return func() {
		gametest.OK(t, os.WriteFile(path, was, 0o700))
	}
}

// A module that a script imports is part of its engine, and so is what files: names.
func TestHole11ModulesAreInTheHash(t *testing.T) {
	dir, hash := scripts(t, "bot.py", "bot", "eval.py", "lib/deep/book.py", "net.bin", "nets/a/b.bin", "other.js", ".hidden.py", "__pycache__/x.py", "venv/pyvenv.cfg", "venv/lib.py")
	for engine, want := range map[string]string{
		"command: [python3, bot.py]":                            "bot.py eval.py lib/deep/book.py other.js",
		"command: [./bot]":                                      "bot bot.py eval.py lib/deep/book.py other.js",
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
	for i := range 501 {
		gametest.OK(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.py", i)), nil, 0o600))
	}
	if _, err := hash("command: [python3, bot.py]"); err == nil || !strings.Contains(err.Error(), "over 500 files, or 20000 entries, in "+dir+", expected files: with those that it reads") {
		t.Error(err)
	}
}
