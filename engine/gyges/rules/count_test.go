package rules

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"thera/engine/game"
)

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
		b, err := ParseBoard(v.Board, 12)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range v.Perft {
			begin := time.Now()
			n, err := newCounter(context.Background(), row.Depth).count(b, v.Player, row.Depth)
			if want := (tally{row.Nodes, row.Wins}); err != nil || n != want {
				t.Errorf("%s depth %d: %v, %v, want %v", b, row.Depth, n, err, want)
			}
			if n.moves > 1e7 {
				t.Logf("%s depth %d: %d in %v", b, row.Depth, n.moves, time.Since(begin))
			}
		}
	}
	if tables != 14 {
		t.Errorf("%d tables, want 14", tables)
	}
}

func BenchmarkCountStart3(b *testing.B) { benchmarkCount(b, LayoutStart, 3, 16_825_500) }
func BenchmarkCountTest3(b *testing.B)  { benchmarkCount(b, LayoutTest, 3, 179_128_838) }

func benchmarkCount(b *testing.B, layout string, depth int, want uint64) {
	board, err := ParseBoard(layout, 12)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if n, err := Count(context.Background(), board, game.First, depth); err != nil || n != want {
			b.Fatalf("%d, %v, want %d", n, err, want)
		}
	}
}

// BenchmarkMovesStart generates the moves of the start position.
func BenchmarkMovesStart(b *testing.B) {
	board, err := ParseBoard(LayoutStart, 12)
	if err != nil {
		b.Fatal(err)
	}
	gen := NewGenerator()
	moves := make([]Move, 0, 1024)
	for b.Loop() {
		if moves = gen.Moves(board, game.First, moves[:0]); len(moves) != 224 {
			b.Fatalf("%d moves, want 224", len(moves))
		}
	}
}
