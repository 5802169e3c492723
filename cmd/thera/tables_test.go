package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

func TestTablesMill(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "tables")
	status, out, errOut := thera("", "engine", "mill", "tables", "--men", "3-3", "--out", folder)
	if status != exitDone || !strings.HasPrefix(out, "3-3 solved in ") ||
		!strings.HasSuffix(out, "s: 169626 positions, 140621 won, 28736 lost, 269 drawn, longest win 26 turns\n") {
		t.Fatalf("status %d, %q, %s", status, out, errOut)
	}
	if _, out, _ := thera("", "engine", "mill", "tables", "--men", "3-3", "--out", folder); !strings.HasPrefix(out, "3-3 read in ") {
		t.Errorf("what is there is solved again: %q", out)
	}
	// A damaged table is solved again.
	path := filepath.Join(folder, "mill-3-3.tbl")
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := thera("", "engine", "mill", "tables", "--men", "3-3", "--out", folder); !strings.HasPrefix(out, "3-3 solved in ") {
		t.Errorf("a damaged table is read: %q", out)
	}
	// Adjudication reads the tables that the rules name.
	const won = "*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 9 30"
	if status, out, errOut := thera("", "moves", "mill", won, "--rule", "tables="+folder); status != exitDone || !strings.Contains(out, "d3-e3") {
		t.Errorf("status %d, %q, %s", status, out, errOut)
	}
}

func TestTablesMillBadInput(t *testing.T) {
	for want, args := range map[string][]string{
		"want 3 to 9 a side":      {"--men", "2-3"},
		"want two numbers of men": {"--men", "3x3"},
		"unexpected":              {"stray"},
		"no table such as":        nil,
	} {
		args = append([]string{"engine", "mill", "tables", "--out", t.TempDir()}, args...)
		if want == "no table such as" {
			args = []string{"moves", "mill", "--rule", "tables=" + t.TempDir(), "x"}
		}
		status, out, errOut := thera("", args...)
		if status != exitBadInput || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q, %q, want %q", args, status, out, errOut, want)
		}
	}
}
