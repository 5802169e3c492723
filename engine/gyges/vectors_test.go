package gyges

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
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

func parse(t testing.TB, text string) *position {
	t.Helper()
	p, err := New().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*position)
}

func TestVectorPositions(t *testing.T) {
	list := readVectors(t)
	if len(list) != 257 {
		t.Fatalf("%d positions, want 257", len(list))
	}
	for _, v := range list {
		p := parse(t, v.Board+" "+string('0'+rune(v.Player)))
		want := strings.Fields(v.Moves)
		wins, still := 0, 0
		for _, m := range newWalker().generate(p.board, p.mover, nil) {
			if m.end() >= squares {
				wins++
			} else if p.board.after(m) == p.board && m.start() == m.end() {
				still++
			}
		}
		if len(want) != v.Count || wins != v.Wins || still != v.NullLike {
			t.Errorf("%s: %d moves listed, %d counted; wins %d, want %d; null-like %d, want %d",
				p, len(want), v.Count, wins, v.Wins, still, v.NullLike)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, p.Moves(v.Player), cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
			t.Fatalf("%s: moves differ (-vector +ours):\n%s", p, diff)
		}
	}
}

func TestVectorPerft(t *testing.T) {
	f, err := os.Open("testdata/perft.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tables := 0
	for scan := bufio.NewScanner(f); scan.Scan(); tables++ {
		var v struct {
			Board  string
			Player game.Seat
			Perft  []struct {
				Depth       int
				Nodes, Wins uint64
			}
		}
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		p := parse(t, v.Board+" "+string('0'+rune(v.Player)))
		for _, row := range v.Perft {
			begin := time.Now()
			n, err := newCounter(context.Background(), row.Depth).count(p.board, p.mover, row.Depth)
			if want := (tally{row.Nodes, row.Wins}); err != nil || n != want {
				t.Errorf("%s depth %d: %v, %v, want %v", p, row.Depth, n, err, want)
			}
			if n.moves > 1e7 {
				t.Logf("%s depth %d: %d in %v", p, row.Depth, n.moves, time.Since(begin))
			}
		}
	}
	if tables != 14 {
		t.Errorf("%d tables, want 14", tables)
	}
}
