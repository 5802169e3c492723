package bench

import (
	"context"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
)

// starts measures how long an engine takes to be ready, and to end and start
// again, compared with the same program without the arena.
func (b *bench) starts(ctx context.Context) error {
	spawner, err := proc.NewSpawner()
	if err != nil {
		return err
	}
	defer spawner.Close()
	dialect, err := match.Dialect(b.Game, "")
	if err != nil {
		return err
	}
	pos, err := b.Game.Parse(b.opening)
	if err != nil {
		return err
	}
	p := player.New(arena.EngineSpec{Name: "a", Command: b.Instant, Env: b.env}, dialect, b.args[0], instantLimit(), player.Options{Spawner: spawner})
	defer p.Kill()
	var first, again, kills, alone []float64
	millis := func(from time.Time) float64 { return time.Since(from).Seconds() * 1000 }
	for range 40 {
		begun := time.Now()
		if err := p.Start(ctx, pos); err != nil {
			return err
		}
		first = append(first, millis(begun))
		begun = time.Now()
		p.Quit()
		if err := p.Start(ctx, pos); err != nil {
			return err
		}
		again = append(again, millis(begun))
		begun = time.Now()
		p.Kill()
		kills = append(kills, millis(begun))
		begun = time.Now()
		if err := b.life(); err != nil {
			return err
		}
		alone = append(alone, millis(begun))
	}
	for _, f := range []struct {
		name string
		took []float64
	}{{"start-up until the engine is ready", first}, {"restart: quit, end, ready again", again}, {"the same program started and ended bare", alone}, {"killing an engine and all it started", kills}} {
		slices.Sort(f.took)
		if err := b.show(f.name+", p50", f.took[len(f.took)/2], "ms"); err != nil {
			return err
		}
	}
	return nil
}

// life starts the instant engine without the arena and waits for its exit at the
// end of its input.
func (b *bench) life() error {
	var e bare
	if err := e.start(append(slices.Clone(b.Instant), b.args[0]...), b.env); err != nil {
		return err
	}
	e.end()
	return nil
}
