//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/engine/gametest"
	gods "thera/engine/santorini"
)

// playsRows is the engine that answers each position of a file with the state there.
const playsRows, rowsVar = "rows", "THERA_TEST_ROWS"

// serveRows runs that engine.
func serveRows() int {
	var answers map[string]string
	text, err := os.ReadFile(os.Getenv(rowsVar))
	if err = errors.Join(err, json.Unmarshal(text, &answers)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(`{"type":"started"}`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan() && lines.Text() != "quit"; {
		switch word, position, _ := strings.Cut(lines.Text(), " "); word {
		case "ping":
			fmt.Println("pong")
		case "set_position":
			fmt.Printf("{\"type\":\"best_move\",\"start_state\":%q,\"next_state\":%q,\"trigger\":\"end_of_line\",\"meta\":{\"score\":0,\"calculated_depth\":1,\"actions\":[]}}\n",
				position, answers[position])
		}
	}
	return 0
}

// otherRow is a position of the vectors from other engines.
type otherRow struct {
	Fen, Class     string
	Next, Accepted []string
}

// TestLongRowsInAMatch plays a turn from each position on which these rules and other
// engines once differed in a match: what they list without a warning, what only the
// printed rules allow with one. Of long lists, of which only a hash is known, it plays a
// turn of our own, which other tests hold to the hash. The short form plays every 40th row, with
// -short every 200th.
func TestLongRowsInAMatch(t *testing.T) {
	step := 40
	switch {
	case gametest.Long(t):
		step = 1
	case testing.Short():
		step = 200
	}
	g := gods.New()
	answers := map[string]string{}
	var rows []otherRow
	for _, name := range []string{"next_states_v2_diff", "next_states_v2_more", "accepted_v2"} {
		all := gametest.Vectors[otherRow](t, filepath.Join("..", "..", "engine", "santorini", "rules", "testdata", name+".jsonl.gz"))
		for i := 0; i < len(all); i += step {
			row := all[i]
			pos, err := g.Parse(row.Fen)
			if err != nil {
				t.Fatal(err)
			}
			moves := pos.Moves(pos.ToMove().Only())
			if answers[row.Fen] != "" || len(moves) == 0 || moves[0] == pos.String() {
				continue // another row is about it, or it is over
			}
			if row.Accepted != nil {
				moves = row.Accepted
			} else if row.Next != nil {
				moves = row.Next
			}
			answers[row.Fen] = moves[len(rows)%len(moves)]
			rows = append(rows, row)
		}
	}
	text, err := json.Marshal(answers)
	file := filepath.Join(t.TempDir(), "rows.json")
	if err = errors.Join(err, os.WriteFile(file, text, 0o666)); err != nil {
		t.Fatal(err)
	}
	argv, env := faultkit.Command(playsRows)
	p := &arena.Plan{Game: g, Limit: arena.Limit{Depth: 1, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}}
	p.Adjudicate.MaxPlies = 1
	for _, name := range []string{"a", "b"} {
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: argv, Env: append(env, rowsVar+"="+file), Protocol: "v2"})
	}
	w := match.NewWorker(p, match.Options{})
	defer w.Close()
	for i, row := range rows {
		pos, err := g.Parse(row.Fen)
		if err != nil {
			t.Fatal(err)
		}
		job := arena.Job{ID: fmt.Sprint(i), Pairing: [2]string{"a", "b"}, Pair: i}
		rec, err := w.Play(context.Background(), job, arena.Opening{Position: pos})
		if err != nil {
			t.Fatal(err)
		}
		warned := ""
		for _, text := range rec.Warnings {
			if _, class, ok := strings.Cut(text, "not listed by engines of today: "); ok {
				warned = class
			}
		}
		want := ""
		if row.Accepted != nil {
			want = row.Class
		}
		if rec.Fault != nil || len(rec.Moves) != 1 || rec.Moves[0] != answers[row.Fen] || warned != want {
			t.Errorf("%s: %s: %v %q, warning of %q, want %q", row.Fen, answers[row.Fen], rec.Fault, rec.Moves, warned, want)
		}
	}
	if len(rows) < 2500/step {
		t.Errorf("only %d rows were played", len(rows))
	}
}
