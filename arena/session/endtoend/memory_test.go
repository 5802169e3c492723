package endtoend

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
	"thera/arena/store"
	"thera/engine/gametest"
)

// heap samples the memory in use while a run goes on.
type heap struct {
	t     *testing.T
	games int
	early uint64 // after a tenth of the games
	last  uint64
	every int
}

func (h *heap) Event(e arena.Event) {
	if e.Kind != arena.GameFinished || e.Played%h.every != 0 {
		return
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	h.last = m.HeapAlloc
	if e.Played == h.games/10 {
		h.early = h.last
	}
}

// TestLongMemoryStaysFlat plays games that cost nothing through schedule,
// runner and database. What a run remembers of a game is a few bytes.
func TestLongMemoryStaysFlat(t *testing.T) {
	gametest.Sequential(t)
	games := 4000
	if gametest.Long(t) {
		games = 100_000
	}
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "x.db"))
	gametest.OK(t, err)
	defer db.Close()
	plan, err := planSpec{Format: "round-robin", Rounds: games / 2, Concurrency: 2, Engines: 2}.plan()
	gametest.OK(t, err)
	plan.Limit = arena.Limit{Move: time.Second} // under nodes the few openings would soon be used up
	watch := &heap{t: t, games: games, every: games / 20}
	workers := &arenatest.Workers{Strength: map[string]int{"a": 60, "b": 40}}
	begin := time.Now()
	result, err := (&session.Runner{Plan: plan, Store: db, Worker: workers.New, Watcher: watch}).Run(ctx)
	if err != nil || result.Run.Played != games {
		t.Fatalf("%d games, %v", result.Run.Played, err)
	}
	grown := int64(watch.last) - int64(watch.early)
	t.Logf("%d games in %v (%.0f a second); heap %.1f MiB after a tenth, %.1f MiB at the end",
		games, time.Since(begin).Round(time.Millisecond), float64(games)/time.Since(begin).Seconds(), mib(watch.early), mib(watch.last))
	if perGame := grown / int64(games); watch.early == 0 || perGame > 200 {
		t.Errorf("%d bytes a game stay in memory", perGame)
	}
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
