package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

// named is a game of which only the name matters here.
type named struct{ game.Game }

func (named) Name() string { return "pebbles" }

func planOf(names ...string) *arena.Plan {
	p := &arena.Plan{Name: "trial", Game: named{}, Rules: "{}", Limit: arena.Limit{Depth: 3}, Seed: 7}
	for _, name := range names {
		p.Engines = append(p.Engines, arena.EngineSpec{
			Name: name, Command: []string{"/bin/" + name, "--quick"}, Binary: "sha of " + name,
			Options: []game.Option{{Name: "hash", Value: "16"}},
		})
	}
	return p
}

func openTest(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "thera.db"))
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	gametest.OK(t, err)
	t.Cleanup(func() { gametest.OK(t, s.Close()) })
	return s
}

func beginTest(t testing.TB, s *Store, plan *arena.Plan) int64 {
	t.Helper()
	run, _, err := s.Begin(t.Context(), plan)
	gametest.OK(t, err)
	return run
}

// begun is a new database with a run of a and b.
func begun(t testing.TB) (*Store, int64) {
	t.Helper()
	s := openTest(t)
	return s, beginTest(t, s, planOf("a", "b"))
}

// change runs a statement as the writer does.
func (s *Store) change(t *testing.T, statement string) {
	t.Helper()
	gametest.OK(t, s.do(t.Context(), func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, statement)
		return err
	}))
}

// load returns what Load reads.
func load(t testing.TB, s *Store, run int64) (info arena.RunInfo, games []arena.Game, err error) {
	t.Helper()
	err = s.Load(t.Context(), run, func(of arena.RunInfo, all iter.Seq[*arena.Game]) error {
		info = of
		for _, g := range slices.Collect(all) {
			games = append(games, *g)
		}
		return nil
	})
	return info, games, err
}

// draw makes random games. There are few different ones, so that some are
// identical.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, seed))} }

// game returns a game of the pairing. Moves have about 30 bytes, as in
// Santorini.
func (d draw) game(pairing [2]string, pair, leg, index, length int) *arena.Game {
	rec := &arena.Game{
		Job: arena.Job{
			ID: fmt.Sprintf("%s-%s-%04d-%d", pairing[0], pairing[1], pair, leg), Pairing: pairing,
			Round: 1 + pair/2, Pair: pair, Leg: leg, Index: index, Start: pair % 3, Seed: d.Uint64(),
		},
		Started: time.UnixMilli(1_700_000_000_000 + int64(index)), Seconds: float64(index%7) / 8,
		Start:   "0000000000000000000000000/1/mortal:11,13/mortal:7,17",
		Roles:   [2]string{[]string{"pan", "mortal"}[pair%2], "mortal"},
		Outcome: game.Outcome{Winner: game.Seat(d.IntN(3)), Reason: "reached level 3"},
		Source:  arena.Natural,
	}
	variant := d.IntN(4)
	for i := range length {
		rec.Moves = append(rec.Moves, fmt.Sprintf("00000000000000000000%05d/%d/mortal:11,13/mortal:7,17", variant*1000+i, i%2+1))
		rec.Plies = append(rec.Plies, arena.Ply{
			Seat: game.Seat(i%2 + 1), Wall: time.Duration(d.IntN(1e8)), CPU: time.Duration(d.IntN(1e8)),
			Depth: d.IntN(20), Nodes: int64(d.IntN(1e9)), Score: d.IntN(2000) - 1000, Scored: d.IntN(2) == 0,
		})
		if last := &rec.Plies[i]; !last.Scored {
			last.Score = 0
		}
		if variant == 3 && i%2 == 0 {
			rec.Plies[i].Said = &game.Details{Time: time.Duration(i), PV: "UP LEFT", Texts: []string{"hello"}}
		}
	}
	switch d.IntN(6) {
	case 0:
		rec.Source, rec.Blamed = arena.Faulted, rec.Outcome.Winner.Other()
		if rec.Blamed == game.None {
			rec.Blamed, rec.Outcome.Winner = game.First, game.Second
		}
		rec.Fault = &game.Fault{Kind: game.FaultTimeout, Detail: fmt.Sprintf("used %d ms", d.IntN(1000))}
		rec.Outcome.Reason = rec.Fault.Error()
		rec.Detail = "used much\nallowed less"
		rec.Tail[0] = []string{"> go", "< \"bestmove\""}
		rec.Stderr[1] = "warning: slow\n"
	case 1:
		rec.Warnings = []string{fmt.Sprintf("unknown key: k%d", d.IntN(100)), "late"}
		rec.Passed = 3
	case 2:
		rec.Outcome.Points = [2]float64{2.5, 1}
		rec.Idle = [2]time.Duration{5, 6}
	}
	return rec
}

// pairs returns all games of n pairs for each pairing of the engines.
func (d draw) pairs(n int, engines ...string) []*arena.Game {
	var all []*arena.Game
	for pair := range n {
		for i := range engines {
			for j := i + 1; j < len(engines); j++ {
				for leg := range 2 {
					all = append(all, d.game([2]string{engines[i], engines[j]}, pair, leg, len(all), 4+d.IntN(4)))
				}
			}
		}
	}
	return all
}

// putAll puts games from several goroutines. What was put is stored.
func putAll(ctx context.Context, s *Store, run int64, games []*arena.Game) error {
	const hands = 256
	errs := make(chan error, hands)
	for h := range hands {
		go func() {
			var err error
			for i := h; i < len(games); i += hands {
				err = errors.Join(err, s.Put(ctx, run, games[i]))
				if i > h {
					continue
				}
				if is, failed := s.Stored(ctx, run, games[i].ID); is == nil || failed != nil {
					err = errors.Join(err, failed, fmt.Errorf("game %s was put and is not stored", games[i].ID))
				}
			}
			errs <- err
		}()
	}
	var err error
	for range hands {
		err = errors.Join(err, <-errs)
	}
	return err
}
