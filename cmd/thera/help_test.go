package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"
)

// Every help text fits 80 columns.
func TestHelpFits(t *testing.T) {
	var each func(cmd *cobra.Command, path []string)
	each = func(cmd *cobra.Command, path []string) {
		var out bytes.Buffer
		if code := mainExit(append(path, "--help"), nil, &out, &out); code != exitDone {
			t.Errorf("%v --help: exit status %d", path, code)
		}
		if !strings.Contains(out.String(), "Usage:\n  thera") {
			t.Errorf("%v --help shows no usage:\n%s", path, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if wide := displaywidth.String(strings.TrimSuffix(line, "\n")); wide > 80 {
				t.Errorf("%v --help: %d columns in %q", path, wide, line)
			}
		}
		for _, sub := range cmd.Commands() {
			each(sub, append(append([]string{}, path...), sub.Name()))
		}
	}
	t.Setenv("COLUMNS", "")
	each(newRoot(nil), nil)
}

// The built-in engines start once a game, and each start builds the command tree.
func TestCommandTreeIsCheap(t *testing.T) {
	const most = 2_000
	if n := testing.AllocsPerRun(5, func() { newRoot(nil) }); n > most {
		t.Errorf("%v allocations before a command begins, at most %d are expected", n, most)
	}
}
