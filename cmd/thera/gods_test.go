package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"thera/engine/gametest"
)

// TestGodsGolden holds what gods prints to testdata/gods/*.golden;
// THERA_UPDATE=1 regenerates them; review them before committing.
func TestGodsGolden(t *testing.T) {
	gametest.Sequential(t)
	for name, args := range map[string][]string{
		"list":   {"gods"},
		"hermes": {"gods", "hermes"},
		"clio":   {"gods", "clio"},
		"hades":  {"gods", "hades"},
	} {
		status, out, errOut := thera("", args...)
		if status != exitDone || errOut != "" {
			t.Errorf("%s: status %d, %s", name, status, errOut)
		}
		path := filepath.Join("testdata", "gods", name+".golden")
		if os.Getenv("THERA_UPDATE") == "1" {
			if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestGodsJSON(t *testing.T) {
	gametest.Sequential(t)
	_, out, _ := thera("", "gods", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 53 {
		t.Fatalf("%d lines, want 53", len(lines))
	}
	for _, line := range lines {
		var god struct {
			Name, Power, Example string
			Bans                 map[string]string
		}
		if err := json.Unmarshal([]byte(line), &god); err != nil || god.Power == "" {
			t.Errorf("%s: %v", line, err)
		}
		if status, out, _ := thera("", "moves", "santorini", god.Example); status != exitDone || !strings.Contains(out, `"moves":["`) {
			t.Errorf("%s: its example has no moves: %s", god.Name, out)
		}
	}
}

func TestGodsUnknown(t *testing.T) {
	gametest.Sequential(t)
	for args, want := range map[string]string{
		"gods harmes": `unknown god "harmes" (did you mean`,
		"gods zz":     "did you mean zeus?",
		"gods Q":      "unknown god \"Q\": `thera gods` lists them",
		"gods a b":    "accepts at most 1 arg",
	} {
		status, _, errOut := thera("", strings.Fields(args)...)
		if status != exitBadInput || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, errOut, want)
		}
	}
}
