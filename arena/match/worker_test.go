//go:build unix

package match

import (
	"context"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// ample is a limit that no busy machine reaches.
var ample = arena.Limit{Move: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}

// plan is a plan of a healthy engine "good", and an engine "bad" with
// fault. Both have ample time.
func plan(g game.Game, fault string) *arena.Plan {
	spec := func(name, fault string) arena.EngineSpec {
		argv, env := faultkit.Command(fault)
		return arena.EngineSpec{Name: name, Command: argv, Env: env}
	}
	p := &arena.Plan{Game: g, Engines: []arena.EngineSpec{spec("good", "none"), spec("bad", fault)}, Limit: ample}
	p.Engines[0].Limit = ample
	return p
}

func job(leg int) arena.Job {
	return arena.Job{ID: string(rune('a' + leg)), Pairing: [2]string{"good", "bad"}, Leg: leg}
}

func start(t testing.TB, g game.Game) game.Position {
	t.Helper()
	pos, err := g.Start(0, 1)
	gametest.OK(t, err)
	return pos
}

// still is a machine that does nothing else: no game is void because of what
// runs beside the tests.
type still struct{}

func (still) Usage([]int) (proc.Usage, bool) { return proc.Usage{CPUs: 1}, true }

// games plays n games, seats alternating. A game that is void, because the
// arena's timer was late, is played again, as in a run.
func games(t *testing.T, p *arena.Plan, n int, opts Options) []*arena.Game {
	t.Helper()
	if opts.Machine == nil {
		opts.Machine = still{}
	}
	w := NewWorker(p, opts)
	defer w.Close()
	var recs []*arena.Game
	for i := range n {
		rec, err := w.Play(context.Background(), job(i%2), start(t, p.Game))
		for err == nil && rec.Source == arena.Stalled {
			t.Logf("game %d: %s", i, rec.Detail)
			rec, err = w.Play(context.Background(), job(i%2), start(t, p.Game))
		}
		gametest.OK(t, err)
		if err := Verify(p, job(i%2), start(t, p.Game), rec); err != nil {
			t.Errorf("an honest game is refused: %v", err)
		}
		recs = append(recs, rec)
	}
	return recs
}

// An engine that was forgotten where the others got their sandboxes does not start without one.
func TestForgottenSandbox(t *testing.T) {
	g := nim.New()
	w := NewWorker(plan(g, "none"), Options{Machine: still{}, Boxes: map[string]*sandbox.Box{"good": nil}})
	defer w.Close()
	if _, err := w.Play(t.Context(), job(0), start(t, g)); err == nil || !strings.Contains(err.Error(), `engine "bad" has no sandbox`) {
		t.Error(err)
	}
}

func checkVerdict(t *testing.T, i int, rec *arena.Game, kind game.FaultKind, text string) {
	t.Helper()
	if kind == "" {
		if rec.Source != arena.Natural || rec.Fault != nil || rec.Blamed != game.None {
			t.Errorf("game %d: %s %+v %+v, want a natural end", i, rec.Source, rec.Outcome, rec.Fault)
		}
		return
	}
	if rec.Source != arena.Faulted || rec.Fault == nil {
		t.Fatalf("game %d: %s %+v, want %s\n%s", i, rec.Source, rec.Outcome, kind, rec.Detail)
	}
	if rec.Fault.Kind != kind || !strings.Contains(rec.Fault.Error(), text) {
		t.Errorf("game %d: fault %v, want %s … %s", i, rec.Fault, kind, text)
	}
	if rec.Engine(rec.Blamed) != "bad" || rec.Outcome.Winner != rec.Blamed.Other() {
		t.Errorf("game %d: blamed %s, winner %d", i, rec.Engine(rec.Blamed), rec.Outcome.Winner)
	}
	if !strings.HasPrefix(rec.Outcome.Reason, string(kind)) || rec.Detail == "" {
		t.Errorf("game %d: reason %q, detail %q", i, rec.Outcome.Reason, rec.Detail)
	}
}
