package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// TestGodsGolden compares the output of gods with testdata/gods/*.golden.
func TestGodsGolden(t *testing.T) {
	gametest.Sequential(t)
	for name, args := range map[string][]string{
		"hermes": {"gods", "hermes"},
		"clio":   {"gods", "clio"},
		"hades":  {"gods", "hades"},
		"triton": {"gods", "triton"},
	} {
		status, out, errOut := thera("", args...)
		if status != exitDone || errOut != "" {
			t.Errorf("%s: status %d, %s", name, status, errOut)
		}
		gametest.Golden(t, filepath.Join("testdata", "gods", name+".golden"), []byte(out))
	}
}

func TestGodsJSON(t *testing.T) {
	gametest.Sequential(t)
	_, out, _ := thera("", "gods", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) < 53 {
		t.Fatalf("%d lines, want at least 53", len(lines))
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
		"gods Q":      "unknown god \"Q\" (known: mortal, ",
		"gods a b":    "accepts at most 1 arg",
	} {
		status, _, errOut := thera("", strings.Fields(args)...)
		if status != exitBadInput || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, errOut, want)
		}
	}
}
