//go:build unix

package match

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"thera/arena"
	"thera/arena/player"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// state is what of a Match a turn may change.
type state struct {
	line    *game.Line
	counts  counts
	before  []moment
	verdict *verdict
	rec     arena.Game
}

func (m *Match) state() state {
	for i := range m.players { // what was said so far is part of it
		m.gather(i)
	}
	s := state{m.line, m.counts, slices.Clone(m.before), m.verdict, *m.rec}
	s.rec.Moves, s.rec.Plies, s.rec.Warnings = slices.Clone(s.rec.Moves), slices.Clone(s.rec.Plies), slices.Clone(s.rec.Warnings)
	return s
}

func diffStates(want, got state) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(state{}, counts{}, clock{}, idling{}, moment{}, verdict{}),
		cmpopts.EquateEmpty(), cmp.Comparer(func(a, b *game.Line) bool { return a == b }))
}

// A match that played n turns and took k back is the match that played n-k:
// clocks, plies, replaced moves, fresh starts, idle time, warnings and verdict.
func TestUndoRestoresEverything(t *testing.T) {
	for _, tt := range []struct {
		name, fault string
		game        *nim.Game
	}{
		{"in turn", "ponder:2", nim.New(40)},
		{"both", "none", nim.NewBoth(60, 0)},
		{"replaced moves", "garbage:3", nim.NewBoth(60, 0)},
		{"a fresh start", "exit3:9", nim.NewBoth(60, 0)},
		{"out of patience", "garbage:2", nim.NewBoth(60, 4)},
		{"illegal", "illegal:5", nim.New(40)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			p := plan(tt.game, tt.fault)
			p.Limit = arena.Limit{Clock: 10 * time.Minute, Increment: time.Second, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
			p.Engines[0].Limit, p.Engines[1].IdleCPU = p.Limit, time.Nanosecond
			m, _ := stepped(t, p)
			rng := rand.New(rand.NewPCG(1, 1))
			states := []state{m.state()}
			undone, verdicts := 0, 0
			for round := 0; round < 12; round++ {
				for range 1 + rng.IntN(5) {
					if over, err := m.Step(ctx); err != nil {
						t.Fatal(err)
					} else if over {
						verdicts++
						break
					}
					states = append(states, m.state())
				}
				for range rng.IntN(len(states)) {
					if m.line.Ply == 0 {
						break
					}
					ok, err := m.Undo(ctx)
					if !ok || err != nil {
						t.Fatal(ok, err)
					}
					if m.verdict != nil { // the engine is gone, and cannot be told
						return
					}
					undone++
					states = states[:m.line.Ply+1]
					if diff := diffStates(states[m.line.Ply], m.state()); diff != "" {
						t.Fatalf("round %d, back at ply %d (-before +now):\n%s", round, m.line.Ply, diff)
					}
				}
			}
			if undone < 5 {
				t.Errorf("only %d turns taken back, %d verdicts", undone, verdicts)
			}
		})
	}
}

// Two engines that fail at once after the end of the game are both named, in
// order, and their record has one writer.
func TestBothFailAfterTheGame(t *testing.T) {
	for range 5 {
		rec := &arena.Game{Job: job(0)}
		m := &Match{game: nim.New(), rec: rec, line: game.Begin(start(t, nim.NewBoth(1, 0)).Position), seated: [2]bool{true, true}}
		p := plan(nim.NewBoth(1, 0), "none")
		for i := range m.players {
			m.players[i] = failingEnd(t, p.Engines[i])
		}
		if err := m.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"good, after the game: protocol: no end", "bad, after the game: protocol: no end"}
		if diff := cmp.Diff(want, rec.Warnings); diff != "" {
			t.Fatal(diff)
		}
	}
}

// failingEnd is a healthy engine whose session fails at the end of a game.
func failingEnd(t *testing.T, spec arena.EngineSpec) *player.Player {
	t.Helper()
	p := player.New(spec, failingDialect{nim.New().Dialects()[0]}, nil, arena.Limit{Start: time.Minute}, player.Options{Spawner: testSpawner(t)})
	t.Cleanup(p.Kill)
	if err := p.Start(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

type failingDialect struct{ game.Dialect }

func (d failingDialect) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	s, info, err := d.Dialect.Dial(ctx, conn, opts)
	return failingSession{s}, info, err
}

type failingSession struct{ game.Session }

func (failingSession) End(context.Context, *game.Line, game.Outcome) error {
	return game.Protocolf("no end")
}

// An engine that ends at its first question, whenever it is started, has made
// no move: not in a game that forgives either, and no ply is on its record.
func TestDeadEngineMakesNoMove(t *testing.T) {
	for _, tt := range []struct {
		fault string
		both  bool
		text  string
	}{
		{"exit3", false, "in its first move: exited: 3"},
		{"startexit", false, "before its first move: exited: 7"},
		{"illegal", false, "in its first move: illegal move"},
		{"exit3", true, "in its first move: exited: 3"},
		{"startexit", true, "before its first move: exited: 7"},
		{"segv", true, "in its first move: crashed"},
		{"exit3:2", false, "(seat 2) at ply 4: exited: 3"},
	} {
		g := nim.New(21)
		g.Both = tt.both
		p := plan(g, tt.fault)
		rec := games(t, p, 1, Options{})[0]
		if rec.Source != arena.Faulted || rec.Engine(rec.Blamed) != "bad" {
			t.Errorf("%s: %s %v", tt.fault, rec.Source, rec.Fault)
			continue
		}
		if first, _, _ := strings.Cut(rec.Detail, "\n"); !strings.Contains(first, tt.text) {
			t.Errorf("%s: %q, want %q", tt.fault, first, tt.text)
		}
		asked := 0
		for _, ply := range rec.Plies {
			if ply.Seat == rec.Blamed {
				asked++
			}
		}
		if early := strings.Contains(tt.text, "first move"); early != (asked == 0) {
			t.Errorf("%s, both %v: %d plies of the dead engine", tt.fault, tt.both, asked)
		}
	}
}

// An engine that ends after its last move is restarted for the next game,
// though nobody looked before that game began.
func TestEndedUnseen(t *testing.T) {
	p := plan(nim.New(1), "none")
	m, rec := stepped(t, p)
	end := func() {
		m.players[1].Process().Kill()
		<-m.players[1].Process().Done()
	}
	end()
	m.kept = [2]bool{true, true}
	if err := m.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if over, err := m.Step(t.Context()); !over || err != nil || m.verdict.fault != nil {
		t.Errorf("%v, %v, %+v", over, err, m.verdict)
	}
	if want := []string{"bad: had ended since its last game (signal 9 (SIGKILL)), restarted"}; !slices.Equal(rec.Warnings, want) {
		t.Errorf("warnings %q, want %q", rec.Warnings, want)
	}
	// One that was started for this game and ends is at fault.
	end()
	m.kept = [2]bool{}
	if err := m.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m.verdict == nil || m.verdict.fault == nil || m.verdict.fault.Kind != game.FaultCrashed || m.verdict.blamed != game.Second {
		t.Errorf("%+v", m.verdict)
	}
}
