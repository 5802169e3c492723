package rules

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"testing"

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
			n, err := newCounter(context.Background(), row.Depth).count(b, v.Player, row.Depth)
			if want := (tally{row.Nodes, row.Wins}); err != nil || n != want {
				t.Errorf("%s depth %d: %v, %v, want %v", b, row.Depth, n, err, want)
			}
		}
	}
	if tables != 14 {
		t.Errorf("%d tables, want 14", tables)
	}
}
