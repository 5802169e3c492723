package store

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/gametest"
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

// Reading a million games to decide about a run takes seconds; the test logs
// the time. The short form reads a hundredth of them.
func TestLongRunsAreReadQuickly(t *testing.T) {
	gametest.Sequential(t)
	n, engines := 5_000, 20
	if gametest.Long(t) {
		n, engines = 1_000_000, 100
	}
	s := openTest(t)
	games, names := templates(100, engines)
	run := beginTest(t, s, planOf(names...))
	took := pour(t, s, run, n, games, names)
	begin := time.Now()
	info, _, done, err := s.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	read := time.Since(begin)
	if len(done) != n || info.Games != n {
		t.Errorf("%d games read, %d of the run, want %d", len(done), info.Games, n)
	}
	file, err := os.Stat(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d games of %d engines: stored at %.0f games/s, %d MB; read in %v",
		n, engines, float64(n)/took.Seconds(), file.Size()>>20, read.Round(time.Millisecond))
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

// Memory does not grow with the games of a run: the heap after all of them is
// as large as after a tenth.
func TestLongMemoryStaysFlat(t *testing.T) {
	gametest.Sequential(t)
	n := 5_000
	if gametest.Long(t) {
		n = 100_000
	}
	s := openTest(t)
	games, names := templates(100, 4)
	run := beginTest(t, s, planOf(names...))
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	second := *planOf(names...)
	second.Name = "second"
	other := beginTest(t, s, &second)
	pour(t, s, run, n/10, games, names)
	before := heap()
	t.Logf("resident %s", resident())
	pour(t, s, other, n, games, names)
	after := heap()
	t.Logf("heap %d KB after %d games, %d KB after %d more; resident %s", before>>10, n/10, after>>10, n, resident())
	if after > before+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes over %d games", before, after, n)
	}
}

// resident returns the memory of the test process with SQLite's, if the system
// reports it.
func resident() string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(line)
}
