package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/rules"
)

type vector struct {
	Board    string
	Player   game.Seat
	Count    int
	Wins     int
	NullLike int `json:"null_like"`
	Moves    string
}

// readVectors reads the recorded positions with all their moves.
func readVectors(t testing.TB) []vector {
	t.Helper()
	return gametest.Vectors[vector](t, "testdata/positions.jsonl.gz")
}

func TestVectorPositions(t *testing.T) {
	gen, list := rules.NewGenerator(), readVectors(t)
	if len(list) != 257 {
		t.Fatalf("%d positions, want 257", len(list))
	}
	for _, v := range list {
		b, err := rules.ParseBoard(v.Board, 12)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(v.Moves)
		wins, still := 0, 0
		for _, m := range gen.Moves(b, v.Player, nil) {
			if m.End() >= rules.Squares {
				wins++
			} else if b.After(m) == b && m.Start() == m.End() {
				still++
			}
		}
		if len(want) != v.Count || wins != v.Wins || still != v.NullLike {
			t.Errorf("%s: %d moves listed, %d counted; wins %d, want %d; null-like %d, want %d",
				b, len(want), v.Count, wins, v.Wins, still, v.NullLike)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, sorted(gen, b, v.Player)); diff != "" {
			t.Fatalf("%s: moves differ (-vector +ours):\n%s", b, diff)
		}
	}
}
