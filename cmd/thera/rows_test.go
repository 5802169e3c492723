package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// otherRow is a position of the vectors from other engines: the states that they list, or
// only the hash of many, and those that the printed rules allow beyond it.
type otherRow struct {
	Fen      string   `json:"fen"`
	Class    string   `json:"class"`
	Next     []string `json:"next"`
	SHA      string   `json:"next_sha256"`
	Accepted []string `json:"accepted"`
}

// TestLongRowsOfOtherEngines checks the positions on which these rules and other engines
// once differed through the commands: moves lists exactly what they list, and judge plays
// it without a warning and what only the printed rules allow with one. The short form
// reads every 25th row.
func TestLongRowsOfOtherEngines(t *testing.T) {
	gametest.Sequential(t)
	step := 25
	if gametest.Long(t) {
		step = 1
	}
	hashed := 0
	for name, want := range map[string]int{"next_states_v2_diff": 1576, "next_states_v2_more": 1500, "accepted_v2": 548} {
		all := gametest.Vectors[otherRow](t, filepath.Join("..", "..", "engine", "santorini", "rules", "testdata", name+".jsonl.gz"))
		if len(all) != want {
			t.Errorf("%d rows of %s, want %d", len(all), name, want)
		}
		var rows []otherRow
		var positions strings.Builder
		for i := 0; i < len(all); i += step {
			rows = append(rows, all[i])
			positions.WriteString(all[i].Fen + "\n")
		}
		status, out, errOut := thera(positions.String(), "moves", "santorini")
		if status != exitDone {
			t.Fatalf("%s: status %d: %s", name, status, errOut)
		}
		var games []judgedRow
		for i, text := range strings.Split(strings.TrimSpace(out), "\n") {
			var listed struct{ Moves []string }
			if err := json.Unmarshal([]byte(text), &listed); err != nil {
				t.Fatal(err)
			}
			row := &rows[i]
			sum := sha256.Sum256([]byte(strings.Join(listed.Moves, "\n")))
			switch {
			case row.Accepted != nil:
			case row.Next == nil && row.SHA != "":
				if hashed++; hex.EncodeToString(sum[:]) != row.SHA {
					t.Errorf("%s %s: %d states hash to %x, want %s", name, row.Fen, len(listed.Moves), sum, row.SHA)
				}
			case !slices.Equal(listed.Moves, row.Next):
				t.Errorf("%s %s: moves lists %d states, want %d", name, row.Fen, len(listed.Moves), len(row.Next))
			}
			if n := len(listed.Moves); n > 0 {
				games = append(games, judgedRow{Start: row.Fen, Moves: listed.Moves[:1]}, judgedRow{Start: row.Fen, Moves: listed.Moves[n-1:]})
			}
			for k := range row.Accepted {
				games = append(games, judgedRow{Start: row.Fen, Moves: row.Accepted[k : k+1], class: row.Class})
			}
		}
		judgeRows(t, games)
	}
	if hashed < 2500/step/2 {
		t.Errorf("%d lists were compared by their hash", hashed)
	}
}

// judgedRow is a game of one move for judge. class is that of a move that only the printed
// rules allow.
type judgedRow struct {
	Start string   `json:"start"`
	Moves []string `json:"moves"`
	class string
}

func judgeRows(t *testing.T, games []judgedRow) {
	t.Helper()
	var in strings.Builder
	for _, g := range games {
		line, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	status, out, errOut := thera(in.String(), "judge", "santorini")
	if status != exitDone {
		t.Errorf("judge: status %d: %s", status, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != len(games) {
		t.Fatalf("%d lines for %d games", len(lines), len(games))
	}
	for i, text := range lines {
		var judged judgedLine
		if err := json.Unmarshal([]byte(text), &judged); err != nil {
			t.Fatal(err)
		}
		var warnings []string
		if class := games[i].class; class != "" {
			warnings = []string{"ply 1: not listed by engines of today: " + class}
		}
		if judged.Illegal != nil || len(judged.States) != 2 || judged.States[1] != games[i].Moves[0] || !slices.Equal(judged.Warnings, warnings) {
			t.Errorf("%s: %s: judged %.300s, want warnings %q", games[i].Start, games[i].Moves[0], text, warnings)
		}
	}
}
