package files

import (
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
