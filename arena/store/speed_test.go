package store

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"thera/arena"
)

// templates returns games of 20 moves, to be stored under other identities.
func templates(n int, engines int) (games []*arena.Game, names []string) {
	for i := range engines {
		names = append(names, fmt.Sprintf("e%d", i))
	}
	d := newDraw(1)
	for i := range n {
		games = append(games, d.game([2]string{names[0], names[1]}, 0, i%2, 0, 20))
	}
	return games, names
}

// pour stores n games of a round robin from 256 goroutines, as a fast run
// does, and returns how long it took.
func pour(t testing.TB, s *Store, run int64, n int, games []*arena.Game, names []string) time.Duration {
	var pairings [][2]string
	for i := range names {
		for j := i + 1; j < len(names); j++ {
			pairings = append(pairings, [2]string{names[i], names[j]})
		}
	}
	next := make(chan int, 256)
	var hands sync.WaitGroup
	begin := time.Now()
	for range 256 {
		hands.Go(func() {
			for i := range next {
				pair := i / 2
				rec := *games[(pair*7919>>4)%(len(games)/2)*2+i%2]
				rec.Pairing, rec.Pair, rec.Leg, rec.Index = pairings[pair%len(pairings)], pair/len(pairings), i%2, i
				rec.Round = 1 + rec.Pair
				rec.ID = fmt.Sprintf("%016x%016x", uint64(i)*0x9e3779b97f4a7c15, i)
				rec.Start = strconv.Itoa(i % 50021) // mostly different games
				if err := s.Put(t.Context(), run, &rec); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	hands.Wait()
	return time.Since(begin)
}

// BenchmarkPut stores games with synchronous=FULL; the target is 7,000 games/s.
func BenchmarkPut(b *testing.B) {
	s := openTest(b)
	games, names := templates(100, 4)
	run := beginTest(b, s, planOf(names...))
	b.ResetTimer()
	took := pour(b, s, run, b.N, games, names)
	b.ReportMetric(float64(b.N)/took.Seconds(), "games/s")
}

// BenchmarkLoad reads the figures of 20,000 games.
func BenchmarkLoad(b *testing.B) {
	const n = 20_000
	s := openTest(b)
	games, names := templates(100, 4)
	run := beginTest(b, s, planOf(names...))
	pour(b, s, run, n, games, names)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, done, err := s.Load(b.Context(), run); err != nil || len(done) != n {
			b.Fatal(len(done), err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
