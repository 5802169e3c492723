package main

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

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/runner"
	"thera/arena/store"
	"thera/engine/game"
)

// scriptEnv makes this binary the instant engine, and stampsEnv lets it note
// when it was asked and when it answered.
const (
	scriptEnv = "THERA_BENCH_SCRIPT"
	stampsEnv = "THERA_BENCH_STAMPS"
)

// benchArenaCommand measures what the arena itself costs.
func benchArenaCommand() *cobra.Command {
	var asJSON bool
	var games int
	name := "santorini"
	cmd := &cobra.Command{
		Use:   "arena",
		Short: "Measure the arena itself: moves/s, own CPU a move, a game, turnaround, start-up, restart",
		Long: `arena plays games between scripted engines that answer at once, every move checked and every game
stored, at concurrency 1, 2 and 4, and beside it lets bare pipes carry the same lines to the same engines.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := findGame(name)
			if err != nil {
				return err
			}
			if games < 2 {
				return fmt.Errorf("--games %d: want at least 2", games)
			}
			return benchArena(cmd.Context(), g, games, asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&name, "game", name, "the game that is played")
	cmd.Flags().IntVar(&games, "games", 2000, "games of each measurement")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a figure")
	cmd.AddCommand(&cobra.Command{
		Use: "instant", Hidden: true, Args: cobra.ArbitraryArgs, Short: "The instant engine of bench arena",
		RunE: func(cmd *cobra.Command, args []string) error {
			return serveScript(os.Getenv(scriptEnv), os.Getenv(stampsEnv), args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	})
	return cmd
}

// figure is one line of the table.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

type bench struct {
	game     game.Game
	opening  string // of the recorded game
	together bool   // both seats move at once
	folder   string
	command  []string
	args     [2][]string // more of them, by seat
	env      []string
	out      io.Writer
	asJSON   bool
}

func (b *bench) show(name string, value float64, unit string) error {
	if b.asJSON {
		return json.NewEncoder(b.out).Encode(figure{name, value, unit})
	}
	form := "%-48s %12.1f %s\n"
	if value >= 1000 {
		form = "%-48s %12.0f %s\n"
	}
	_, err := fmt.Fprintf(b.out, form, name, value, unit)
	return err
}

func benchArena(ctx context.Context, g game.Game, games int, asJSON bool, out io.Writer) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "thera-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	said, rec, err := recordGame(ctx, g, []string{self, "engine", g.Name()})
	if err != nil {
		return err
	}
	dialect, err := match.Dialect(g, "")
	if err != nil {
		return err
	}
	start, err := g.Parse(rec.Start)
	if err != nil {
		return err
	}
	b := &bench{
		game: g, opening: rec.Start, together: start.ToMove() == game.Both, folder: folder, out: out, asJSON: asJSON,
		command: []string{self, "bench", "arena", "instant"}, args: [2][]string{dialect.Args(game.First), dialect.Args(game.Second)},
	}
	text, err := json.Marshal(scriptOf(said, b.args))
	if err != nil {
		return err
	}
	path := filepath.Join(folder, "script.json")
	b.env = []string{scriptEnv + "=" + path}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	if !asJSON {
		fmt.Fprintf(out, "%s, %d moves a game; %s, %d cores, thera %s\n", g.Name(), len(rec.Moves), runtime.GOARCH, runtime.NumCPU(), version())
	}
	return b.all(ctx, games, said)
}

// all takes every measurement in turn.
func (b *bench) all(ctx context.Context, games int, said []spoken) error {
	bare, err := b.floor(b.env, said, time.Second)
	if err != nil {
		return err
	}
	var one speed
	for _, concurrency := range []int{1, 2, 4} {
		s, err := b.play(ctx, games, concurrency)
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
	again, err := b.floor(b.env, said, time.Second)
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
	if !b.together { // else no turn passes from one to the other
		if err := b.turnarounds(ctx, min(games, 200), said); err != nil {
			return err
		}
	}
	if err := b.starts(ctx); err != nil {
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
		return arena.EngineSpec{Name: name, Command: b.command, Env: append(slices.Clone(b.env), env...), OnFault: arena.FaultStop}
	}
	return &arena.Plan{
		Name: fmt.Sprintf("bench %d", concurrency), Game: b.game, Limit: benchLimit(), Concurrency: concurrency, Seed: 1,
		Engines: []arena.EngineSpec{engine("a"), engine("b")},
		Format:  arena.Format{Name: "round-robin", Rounds: max(games/2, 1), Pairs: true},
		// The script knows the answers from there only; a maze is drawn.
		Openings: arena.Openings{Positions: []string{b.opening}},
	}
}

// play plays so many games through the whole arena, records stored.
func (b *bench) play(ctx context.Context, games, concurrency int, env ...string) (s speed, err error) {
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
		Worker: func(slot int) arena.Worker { return match.NewWorker(plan, slot, match.Options{}) },
	}
	begun, before := time.Now(), ownCPU()
	if _, err := d.Run(ctx); err != nil {
		return s, err
	}
	s = speed{games: count.games, moves: count.moves, wall: time.Since(begun), cpu: ownCPU() - before}
	if s.moves == 0 {
		return s, fmt.Errorf("no move was played in %d games", s.games)
	}
	return s, nil
}

// moveCount counts what a run played.
type moveCount struct{ games, moves int }

// Event counts finished games.
func (m *moveCount) Event(e arena.Event) {
	if e.Kind == arena.GameFinished && e.Record != nil {
		m.games++
		m.moves += max(len(e.Record.Moves), len(e.Record.Plies)) // both sides' where they move at once
	}
}
