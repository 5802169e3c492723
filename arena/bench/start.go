package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/arena/sandbox"
)

// boxed tries the sandbox, which a run does once, and reports what that costs.
func (b *bench) boxed() (map[string]*sandbox.Box, error) {
	begun := time.Now()
	boxes, report, err := sandbox.Boxes(b.plan(2, 1).Engines)
	if err != nil {
		return nil, err
	}
	if missing := report.Missing(); len(missing) > 0 && !b.JSON {
		fmt.Fprintf(b.Out, "sandbox: %v\n", report)
	}
	return boxes, b.show("trying the sandbox, once a run", millis(begun), "ms")
}

func millis(from time.Time) float64 { return time.Since(from).Seconds() * 1000 }

// lives are the times of one way to start an engine, in milliseconds.
type lives struct {
	player             *player.Player
	first, again, kill []float64
}

// starts measures how long an engine takes to be ready, and to end and start
// again, with a sandbox and without, compared with the same program without
// the arena.
func (b *bench) starts(ctx context.Context, boxes map[string]*sandbox.Box) error {
	dialect, err := match.Dialect(b.Game, "")
	if err != nil {
		return err
	}
	pos, err := b.Game.Parse(b.opening)
	if err != nil {
		return err
	}
	ways := []*lives{{}, {}}
	for i, box := range []*sandbox.Box{nil, boxes["a"]} {
		spawner, err := proc.NewSpawner()
		if err != nil {
			return err
		}
		defer spawner.Close()
		ways[i].player = player.New(arena.EngineSpec{Name: "a", Command: b.Instant, Env: b.env}, dialect, b.args[0], instantLimit(), player.Options{Spawner: spawner, Box: box})
		defer ways[i].player.Kill()
	}
	var alone []float64
	for range 40 {
		for _, w := range ways {
			if err := w.live(ctx, func() error { return w.player.Start(ctx, pos) }); err != nil {
				return err
			}
		}
		begun := time.Now()
		if err := b.life(); err != nil {
			return err
		}
		alone = append(alone, millis(begun))
	}
	for _, f := range []struct {
		name string
		took []float64
	}{
		{"start-up until the engine is ready", ways[0].first},
		{"start-up until the engine is ready (sandbox)", ways[1].first},
		{"restart: quit, end, ready again", ways[0].again},
		{"restart: quit, end, ready again (sandbox)", ways[1].again},
		{"the same program started and ended bare", alone},
		{"killing an engine and all it started", ways[0].kill},
		{"killing an engine and all it started (sandbox)", ways[1].kill},
	} {
		slices.Sort(f.took)
		if err := b.show(f.name+", p50", f.took[len(f.took)/2], "ms"); err != nil {
			return err
		}
	}
	return nil
}

// aGame is the least time between two starts of an engine in play. Meanwhile
// the arena prepares the next start.
const aGame = 30 * time.Millisecond

// live starts the engine, starts it again and kills it.
func (w *lives) live(ctx context.Context, start func() error) error {
	time.Sleep(aGame)
	begun := time.Now()
	if err := start(); err != nil {
		return err
	}
	w.first = append(w.first, millis(begun))
	time.Sleep(aGame)
	begun = time.Now()
	w.player.Quit()
	if err := start(); err != nil {
		return err
	}
	w.again = append(w.again, millis(begun))
	time.Sleep(aGame)
	begun = time.Now()
	w.player.Kill()
	w.kill = append(w.kill, millis(begun))
	return ctx.Err()
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
