package files

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// An engine of several files is another one when one of them changes, and the file is named.
func TestAChangedFile(t *testing.T) {
	dir := t.TempDir()
	program, lib := filepath.Join(dir, "engine.py"), filepath.Join(dir, "lib.py")
	write := func(name, text string) {
		gametest.OK(t, os.WriteFile(name, []byte(text), 0o700))
	}
	write(program, "#!/usr/bin/env python3")
	write(lib, "depth = 3")
	of := func() []File {
		list, err := Of([]string{program}, dir, nil)
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		return list
	}
	was := of()
	if err := Unchanged("a", was); err != nil {
		t.Error(err)
	}
	write(lib, "depth = 4") // of the same size
	if err := Unchanged("a", was); err == nil || !strings.Contains(err.Error(), lib) {
		t.Errorf("a changed file: %v", err)
	}
	is := of()
	if Digest(was) == Digest(is) {
		t.Error("another engine has the same digest")
	}
	if got := Differ(was, is); got != " (lib.py has changed)" {
		t.Errorf("what differs: %q", got)
	}
}

// A file with two paths is read once, until it changes.
func TestOneFileTwoPaths(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	gametest.OK(t, errors.Join(os.WriteFile(one, []byte("depth = 3"), 0o600), os.Link(one, two)))
	info, err := os.Stat(one)
	gametest.OK(t, err)
	is := stampOf(info)
	if is.inode == 0 {
		t.Skip("this system does not say which file it is")
	}
	known.Store(is, read{stamp: is, settled: true, sum: "known"})
	if sum, err := Sum(two); sum != "known" || err != nil {
		t.Errorf("it was read: %s, %v", sum, err)
	}
	gametest.OK(t, os.WriteFile(one, []byte("depth = 4"), 0o600))
	for _, path := range []string{one, two} {
		if sum, err := Sum(path); sum != fmt.Sprintf("%x", sha256.Sum256([]byte("depth = 4"))) || err != nil {
			t.Errorf("%s has changed: %s, %v", path, sum, err)
		}
	}
}
