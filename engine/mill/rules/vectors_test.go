package rules_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

type vector struct {
	FEN            string
	Over           bool
	Winner, Reason string
	Count          int
	Moves, History string
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	list := gametest.Vectors[vector](t, "testdata/positions.jsonl.gz")
	if len(list) != 305 {
		t.Fatalf("%d vectors, want 305", len(list))
	}
	return list
}

func mustParse(t testing.TB, fen string) *rules.Position {
	t.Helper()
	pos, err := rules.Parse(rules.Default(), fen)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// Each vector holds twice: read from its text, and replayed from the start.
func TestVectors(t *testing.T) {
	reasons := map[string]string{"fewer-than-three": "fewer than three men", "no-legal-moves": "no legal move"}
	for _, v := range readVectors(t) {
		replayed := play(t, rules.Start(rules.Default()), v.History)
		for how, pos := range map[string]game.Position{"read": mustParse(t, v.FEN), "replayed": replayed} {
			if pos.String() != v.FEN {
				t.Errorf("%s: %s as %s", v.FEN, how, pos)
			}
			var moves []string
			if s := pos.ToMove().Only(); s != game.None {
				moves = pos.Moves(s)
			}
			if got := strings.Join(moves, " "); got != v.Moves || len(moves) != v.Count {
				t.Errorf("%s, %s: moves %s, want %s", v.FEN, how, got, v.Moves)
			}
			outcome, over := pos.Outcome()
			winner := map[string]game.Seat{"white": game.First, "black": game.Second}[v.Winner]
			if over != v.Over || outcome.Winner != winner || outcome.Reason != reasons[v.Reason] {
				t.Errorf("%s, %s: over %v, %+v, want %v %s %s", v.FEN, how, over, outcome, v.Over, v.Winner, v.Reason)
			}
		}
	}
}

type perft struct {
	FEN   string
	Perft []struct {
		Depth     int
		NodesPly  uint64 `json:"nodes_ply"`
		NodesTurn uint64 `json:"nodes_turn"`
	}
}

func readPerfts(t testing.TB) []perft {
	t.Helper()
	text, err := os.ReadFile("testdata/perft.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []perft
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		var p perft
		if err := json.Unmarshal(scan.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) != 14 {
		t.Fatalf("%d perfts, want 14", len(list))
	}
	return list
}

func TestPerfts(t *testing.T) {
	for _, p := range readPerfts(t) {
		pos := mustParse(t, p.FEN)
		for _, want := range p.Perft {
			got, err := pos.Count(context.Background(), want.Depth)
			if err != nil || got != want.NodesPly {
				t.Errorf("%s depth %d: %d actions (%v), want %d", p.FEN, want.Depth, got, err, want.NodesPly)
			}
			if got := pos.CountTurns(want.Depth); got != want.NodesTurn {
				t.Errorf("%s depth %d: %d turns, want %d", p.FEN, want.Depth, got, want.NodesTurn)
			}
		}
	}
}
