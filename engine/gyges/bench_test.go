package gyges

import (
	"context"
	"testing"
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
