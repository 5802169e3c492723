package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// recordedHex is a row of Hex's vectors. Win is set for the strong bot's
// games: the ply that decided the board and the winner, or nil.
type recordedHex struct {
	ID     string
	Size   int
	Moves  string
	Winner string
	Win    []any `json:"win_central"`
}

// TestJudgeHexVectors sends all recorded games through `thera judge`.
func TestJudgeHexVectors(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	rows := gametest.Vectors[recordedHex](t, filepath.Join("..", "..", "engine", "hex", "testdata", "games.jsonl.gz"))
	if len(rows) != 300 {
		t.Fatalf("%d games, want 300", len(rows))
	}
	for _, v := range judgeHex(t, rows) {
		want := map[string]int{"black": 1, "white": 2}[v.row.Winner]
		if v.outcome == nil || v.outcome.Winner != want || v.states != len(strings.Fields(v.row.Moves))+1 {
			t.Errorf("%s: %+v after %d states, want winner %d", v.row.ID, v.outcome, v.states, want)
		}
	}
}

// TestJudgeStrongBotsGames does the same with 4,950 games of a strong bot if
// they are present. They belong to others and are not in the repository.
func TestJudgeStrongBotsGames(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	path := filepath.Join("..", "..", "..", "shared", "vectors", "hex", "wolve.jsonl.gz")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the strong bot's games are not here; they are not part of the project")
	}
	rows := gametest.Vectors[recordedHex](t, path)
	if len(rows) != 4950 {
		t.Fatalf("%d games, want 4950", len(rows))
	}
	for i := range rows { // a move after the end would be illegal
		if win := rows[i].Win; win != nil {
			rows[i].Moves = strings.Join(strings.Fields(rows[i].Moves)[:int(win[0].(float64))], " ")
		}
	}
	for _, v := range judgeHex(t, rows) {
		if (v.outcome != nil) != (v.row.Win != nil) {
			t.Errorf("%s: outcome %+v, recorded %v", v.row.ID, v.outcome, v.row.Win)
		} else if v.outcome != nil && v.outcome.Winner != map[any]int{"black": 1, "white": 2}[v.row.Win[1]] {
			t.Errorf("%s: winner %d, recorded %v", v.row.ID, v.outcome.Winner, v.row.Win)
		}
	}
}

type judgedHex struct {
	row     recordedHex
	states  int
	outcome *struct{ Winner int }
}

func judgeHex(t *testing.T, rows []recordedHex) []judgedHex {
	t.Helper()
	var in bytes.Buffer
	for _, r := range rows {
		line, err := json.Marshal(map[string]any{"start": fmt.Sprint(r.Size), "moves": strings.Fields(r.Moves)})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	status, out, errOut := thera(in.String(), "judge", "hex")
	if status != exitDone {
		t.Fatalf("status %d: %.300s", status, errOut)
	}
	scan := bufio.NewScanner(strings.NewReader(out))
	scan.Buffer(nil, 1<<24)
	var list []judgedHex
	for scan.Scan() {
		var v struct {
			States  []string
			Outcome *struct{ Winner int }
		}
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if len(list) == len(rows) {
			t.Fatal("more answers than games")
		}
		list = append(list, judgedHex{rows[len(list)], len(v.States), v.Outcome})
	}
	if len(list) != len(rows) {
		t.Fatalf("%d answers to %d games", len(list), len(rows))
	}
	return list
}
