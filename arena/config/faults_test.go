package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// testHost returns a host with one game and an empty working directory.
func testHost(t *testing.T) Host {
	t.Helper()
	self, err := os.Executable()
	gametest.OK(t, err)
	player := func(string) game.Player { return nim.New() }
	return Host{Games: []game.Game{nim.New()}, Players: player, Self: self, Dir: t.TempDir(), Cores: 4}
}

// faultsOf returns the errors of a file, one a line.
func faultsOf(t *testing.T, text string, sets ...string) string {
	t.Helper()
	_, err := Parse("m.yaml", []byte(text), sets, testHost(t))
	if err == nil {
		return "none"
	}
	var problems Errors
	if !errors.As(err, &problems) {
		t.Fatalf("%v is no list of problems", err)
	}
	return problems.Error()
}

const pair = "game: nim\nengines:\n  - {name: a, builtin: true}\n  - {name: b, builtin: true}\n"

// Each file of the archive is followed by what the reader says about it.
func TestFaults(t *testing.T) {
	file := filepath.Join("testdata", "faults.txtar")
	cases, err := txtar.ParseFile(file)
	if err != nil || len(cases.Files) < 80 {
		t.Fatalf("%d files, %v", len(cases.Files), err)
	}
	for i := 0; i < len(cases.Files); i += 2 {
		var problems Errors
		if _, err := Parse("m.yaml", cases.Files[i].Data, nil, testHost(t)); !errors.As(err, &problems) {
			t.Fatalf("%s: %v is no list of problems", cases.Files[i].Name, err)
		}
		cases.Files[i+1].Data = []byte(problems.Show())
	}
	gametest.Golden(t, file, txtar.Format(cases))
}
