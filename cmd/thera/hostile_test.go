package main

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"thera/arena"
	"thera/arena/store"
	"thera/engine/game"
)

// What an engine says reaches no output as it is, whatever command and format
// show it.
func TestHostileText(t *testing.T) {
	const bad = "=cmd|' /C calc'!A0\x1b[2J\u202egnp\u2028\u009b31m\x7f<img src=x> [x](http://evil) `a` |b|"
	path := filepath.Join(t.TempDir(), "hostile.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := findGame("santorini")
	if err != nil {
		t.Fatal(err)
	}
	plan := &arena.Plan{
		Name: "trial.yaml", File: "trial.yaml", Game: g, Limit: arena.Limit{Depth: 2}, Seed: 1, Concurrency: 1,
		Engines: []arena.EngineSpec{{Name: bad, Command: []string{bad}}, {Name: "old", Command: []string{"./old"}}},
		Format:  arena.Format{Name: "round-robin", Rounds: 2, Pairs: true}, Openings: arena.Openings{RandomPlies: 2},
	}
	run, _, err := db.Begin(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	for i := range 4 {
		rec := storedGame(t, g, start, i)
		rec.Pairing[0] = bad
		rec.Source, rec.Blamed, rec.Fault = arena.Faulted, game.First, &game.Fault{Kind: game.FaultProtocol, Detail: bad}
		rec.Outcome = game.Outcome{Winner: game.Second, Reason: "protocol: " + bad}
		rec.Detail, rec.Warnings = bad+"\n"+bad, []string{bad + ": " + bad}
		rec.Tail, rec.Stderr = [2][]string{{"< " + bad}, nil}, [2]string{bad + "\n" + bad, ""}
		if err := db.Put(t.Context(), run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Note(t.Context(), run, "finished", bad); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"results", "results --json", "results --format markdown", "results --format csv", "results --table ends", "results --table ends --format csv",
		"results --table ends --format markdown", "games", "games --all", "games --faults --json", "replay 00", "replay 00 --json", "runs", "runs --json",
		"export", "export --format csv", "export --format markdown",
	} {
		_, out, errOut := thera("", append(strings.Fields(line), "--db", path)...)
		if !strings.Contains(out, "calc") && !strings.HasPrefix(line, "runs") {
			t.Errorf("thera %s: nothing of the engine is shown: %s%s", line, out, errOut)
		}
		for at, r := range out + errOut {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("thera %s: %U at %d", line, r, at)
				break
			}
		}
		switch {
		case strings.Contains(line, "csv"):
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil {
				t.Errorf("thera %s: %v", line, err)
			}
			for _, row := range rows {
				for _, cell := range row {
					if strings.HasPrefix(cell, "=") {
						t.Errorf("thera %s: a formula: %s", line, cell)
					}
				}
			}
		case strings.Contains(line, "markdown"):
			for _, left := range []string{"<img", " [x", "://", " `a", " |b"} {
				if strings.Contains(out, left) {
					t.Errorf("thera %s: %q is left", line, left)
				}
			}
		}
	}
}
