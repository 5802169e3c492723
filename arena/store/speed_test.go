package store

import (
	"fmt"
	"testing"
	"time"

	"thera/arena"
)

// poured stores n games of 20 moves as a fast run does, and returns how long it took.
func poured(b *testing.B, s *Store, run int64, n int) time.Duration {
	d := newDraw(1)
	var games []*arena.Game
	for i := range n {
		rec := d.game([2]string{"a", "b"}, i/2, i%2, i, 20)
		rec.Start = fmt.Sprint(i % 50021) // mostly different games
		games = append(games, rec)
	}
	begin := time.Now()
	ok(b, putAll(b.Context(), s, run, games))
	return time.Since(begin)
}

// BenchmarkPut stores games with synchronous=FULL; the target is 7,000 games/s.
func BenchmarkPut(b *testing.B) {
	s := openTest(b)
	took := poured(b, s, beginTest(b, s, planOf("a", "b")), b.N)
	b.ReportMetric(float64(b.N)/took.Seconds(), "games/s")
}

// BenchmarkLoad reads the figures of 20,000 games.
func BenchmarkLoad(b *testing.B) {
	const n = 20_000
	s := openTest(b)
	run := beginTest(b, s, planOf("a", "b"))
	poured(b, s, run, n)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, done, err := load(b, s, run); err != nil || len(done) != n {
			b.Fatal(len(done), err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
