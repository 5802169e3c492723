// Package bench measures what the arena itself costs: moves a second, CPU time a
// move, the time between one engine's answer and the other's question, start and
// restart. Scripted engines that answer at once replay one recorded game, and
// bare pipes carry the same lines to the same engines for comparison. It does
// not measure how fast an engine searches.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/proc"
	"thera/arena/runner"
	"thera/arena/sandbox"
	"thera/arena/store"
	"thera/engine/game"
)

// Options say what to measure.
type Options struct {
	Game    game.Game
	Games   int      // games of each measurement, at least 2
	Engine  []string // command of the engine that plays the recorded game
	Instant []string // command of a program that calls [Serve]
	Version string   // of the program, for the heading
	JSON    bool     // one JSON object a figure instead of a table
	Out     io.Writer

	Governed game.Game // the same game with its rules asked of an engine, nil if it has none
}

// figure is one line of the table.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

type bench struct {
	Options
	opening      string // of the recorded game
	simultaneous bool   // both seats move at once
	folder       string
	args         [2][]string // further arguments, by seat
	env          []string
}

func (b *bench) show(name string, value float64, unit string) error {
	if b.JSON {
		return json.NewEncoder(b.Out).Encode(figure{name, value, unit})
	}
	form := "%-48s %12.1f %s\n"
	if value >= 1000 {
		form = "%-48s %12.0f %s\n"
	}
	_, err := fmt.Fprintf(b.Out, form, name, value, unit)
	return err
}

// Run records one game and measures the arena with it.
func Run(ctx context.Context, o Options) (err error) {
	folder, err := os.MkdirTemp("", "thera-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	messages, rec, err := recordGame(ctx, o.Game, o.Engine)
	if err != nil {
		return err
	}
	dialect, err := match.Dialect(o.Game, "")
	if err != nil {
		return err
	}
	start, err := o.Game.Parse(rec.Start)
	if err != nil {
		return err
	}
	b := &bench{
		Options: o, opening: rec.Start, simultaneous: start.ToMove() == game.Both, folder: folder,
		args: [2][]string{dialect.Args(game.First), dialect.Args(game.Second)},
	}
	text, err := json.Marshal(scriptOf(messages, b.args))
	if err != nil {
		return err
	}
	path := filepath.Join(folder, "script.json")
	b.env = []string{scriptEnv + "=" + path}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	if !o.JSON {
		fmt.Fprintf(o.Out, "%s, %d moves a game; %s, %d cores, thera %s\n", o.Game.Name(), len(rec.Moves), runtime.GOARCH, runtime.NumCPU(), o.Version)
	}
	if err := b.all(ctx, messages); err != nil {
		return err
	}
	return b.law(ctx, rec)
}

// all takes one measurement after the other.
func (b *bench) all(ctx context.Context, messages []message) error {
	bare, err := b.floor(b.env, messages, time.Second)
	if err != nil {
		return err
	}
	var one speed
	for _, concurrency := range []int{1, 2, 4} {
		s, err := b.play(ctx, b.Games, concurrency)
		if err != nil {
			return err
		}
		if concurrency == 1 {
			one = s
		}
		at := fmt.Sprintf(", concurrency %d", concurrency)
		if err := b.show("moves"+at, s.perSecond(), "moves/s"); err != nil {
			return err
		}
		if err := b.show("own CPU"+at, s.cpuMicros(), "µs/move"); err != nil {
			return err
		}
		if err := b.show("a game"+at, s.millisGame(), "ms"); err != nil {
			return err
		}
	}
	again, err := b.floor(b.env, messages, time.Second)
	if err != nil {
		return err
	}
	bare = speed{games: bare.games + again.games, moves: bare.moves + again.moves, wall: bare.wall + again.wall, cpu: bare.cpu + again.cpu}
	for _, f := range []figure{
		{"bare pipes, the same lines", bare.perSecond(), "moves/s"},
		{"bare pipes, own CPU", bare.cpuMicros(), "µs/move"},
		{"bare pipes, a game", bare.millisGame(), "ms"},
		{"moves, concurrency 1, of bare pipes", 100 * one.perSecond() / bare.perSecond(), "%"},
	} {
		if err := b.show(f.Name, f.Value, f.Unit); err != nil {
			return err
		}
	}
	if !b.simultaneous { // otherwise no turn passes from one engine to the other
		if err := b.turnarounds(ctx, min(b.Games, 200), messages); err != nil {
			return err
		}
	}
	boxes, err := b.boxed()
	if err != nil {
		return err
	}
	if err := b.starts(ctx, boxes); err != nil {
		return err
	}
	in, err := b.playIn(ctx, boxes, b.Games, 1)
	if err != nil {
		return err
	}
	if err := b.show("moves, concurrency 1 (sandbox)", in.perSecond(), "moves/s"); err != nil {
		return err
	}
	s, err := b.play(ctx, 2, 1)
	if err != nil {
		return err
	}
	if err := b.show("a match of two games, engines started and ended", s.wall.Seconds()*1000, "ms"); err != nil {
		return err
	}
	return b.show("most memory resident", float64(ownMemory())/(1<<20), "MiB")
}

func (b *bench) plan(games, concurrency int, env ...string) *arena.Plan {
	engine := func(name string) arena.EngineSpec {
		return arena.EngineSpec{Name: name, Command: b.Instant, Env: append(slices.Clone(b.env), env...), OnFault: arena.FaultStop}
	}
	return &arena.Plan{
		Name: fmt.Sprintf("bench %d", concurrency), Game: b.Game, Limit: instantLimit(), Concurrency: concurrency, Seed: 1,
		Engines: []arena.EngineSpec{engine("a"), engine("b")},
		Format:  arena.Format{Name: "round-robin", Rounds: max(games/2, 1), Pairs: true},
		// The script knows only the answers of this game, and a maze is random.
		Openings: arena.Openings{Positions: []string{b.opening}, Repeat: true},
	}
}

// play plays games through the whole arena and stores their records.
func (b *bench) play(ctx context.Context, games, concurrency int, env ...string) (s speed, err error) {
	return b.playIn(ctx, nil, games, concurrency, env...)
}

// playIn is play with engines in a sandbox.
func (b *bench) playIn(ctx context.Context, boxes map[string]*sandbox.Box, games, concurrency int, env ...string) (s speed, err error) {
	folder, err := os.MkdirTemp(b.folder, "run")
	if err != nil {
		return s, err
	}
	db, err := store.Open(ctx, filepath.Join(folder, "bench.db"))
	if err != nil {
		return s, err
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = closed
		}
	}()
	plan := b.plan(games, concurrency, env...)
	count := &moveCount{}
	d := &runner.Runner{
		Plan: plan, Store: db, Watcher: count,
		Worker: func(slot int) arena.Worker { return match.NewWorker(plan, slot, match.Options{Boxes: boxes}) },
	}
	begun, before := time.Now(), proc.OwnCPU()
	if _, err := d.Run(ctx); err != nil {
		return s, err
	}
	s = speed{games: count.games, moves: count.moves, wall: time.Since(begun), cpu: proc.OwnCPU() - before}
	if s.moves == 0 {
		return s, fmt.Errorf("no move was played in %d games", s.games)
	}
	return s, nil
}

// moveCount counts the games and moves of a run.
type moveCount struct{ games, moves int }

// Event counts finished games.
func (m *moveCount) Event(e arena.Event) {
	if e.Kind == arena.GameFinished && e.Record != nil {
		m.games++
		m.moves += max(len(e.Record.Moves), len(e.Record.Plies)) // of both seats where they move at once
	}
}
