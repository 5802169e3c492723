package store

import (
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// BenchmarkLoad reads the figures of 20,000 games.
func BenchmarkLoad(b *testing.B) {
	const n = 20_000
	s, run := begun(b)
	var games []*arena.Game
	for i, d := 0, newDraw(1); i < n; i++ {
		games = append(games, d.game([2]string{"a", "b"}, i/2, i%2, i, 20))
	}
	gametest.OK(b, putAll(b.Context(), s, run, games))
	b.ReportAllocs()
	for b.Loop() {
		if _, done, err := load(b, s, run); err != nil || len(done) != n {
			b.Fatal(len(done), err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
