package hex

import (
	"context"
	"testing"
	"time"

	"thera/engine/game"
)

// BenchmarkPlayout fills empty 11 x 11 boards: moves a second.
func BenchmarkPlayout(b *testing.B) {
	for _, bridges := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "bridges"}[bridges], func(b *testing.B) {
			f := newField(11, 1)
			empty := make([]colour, 121)
			for b.Loop() {
				f.load(empty)
				f.playout(black, bridges)
			}
			b.ReportMetric(121*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}

// BenchmarkSearch is the tree search on an empty 11 x 11 board.
func BenchmarkSearch(b *testing.B) {
	t := newThinker(11, 1)
	playouts := 0
	for b.Loop() {
		playouts += t.search(context.Background(), make([]colour, 121), black, budget{time: 100 * time.Millisecond}).playouts
	}
	b.ReportMetric(float64(playouts)/b.Elapsed().Seconds(), "playouts/s")
}

// BenchmarkPlay is one move of the referee's position.
func BenchmarkPlay(b *testing.B) {
	start := New().empty()
	var p game.Position = start
	i := 0
	for b.Loop() {
		next, err := p.Play(game.By(p.ToMove().Only(), cellName(i, 11)))
		if err != nil {
			b.Fatal(err)
		}
		p, i = next, i+1
		if _, over := p.Outcome(); over || i == 121 {
			p, i = start, 0
		}
	}
}
