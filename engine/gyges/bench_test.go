package gyges

import (
	"context"
	"testing"

	"thera/engine/search"
)

func BenchmarkCountStart3(b *testing.B) { benchmarkCount(b, "start", 3, 16_825_500) }
func BenchmarkCountTest3(b *testing.B)  { benchmarkCount(b, "test", 3, 179_128_838) }

func benchmarkCount(b *testing.B, layout string, depth int, want uint64) {
	p := parse(b, layout)
	for b.Loop() {
		if n, err := p.Count(context.Background(), depth); err != nil || n != want {
			b.Fatalf("%d, %v, want %d", n, err, want)
		}
	}
}

// BenchmarkMovesStart lists the moves of the start position.
func BenchmarkMovesStart(b *testing.B) {
	p, w := parse(b, "start"), newWalker()
	moves := make([]Move, 0, 1024)
	for b.Loop() {
		if moves = w.generate(p.board, p.mover, moves[:0]); len(moves) != 224 {
			b.Fatalf("%d moves, want 224", len(moves))
		}
	}
}

func BenchmarkSearchPly3(b *testing.B) { benchmarkSearch(b, 3) }
func BenchmarkSearchPly5(b *testing.B) { benchmarkSearch(b, 5) }

// benchmarkSearch is a fresh player's search of the start position.
func benchmarkSearch(b *testing.B, depth int) {
	p := parse(b, "start")
	for b.Loop() {
		player := newPlayer()
		r := player.search(context.Background(), p.board, search.Limits{Depth: depth}, nil)
		if r.Depth != depth {
			b.Fatalf("depth %d, want %d", r.Depth, depth)
		}
		b.ReportMetric(float64(r.Nodes), "nodes")
	}
}
