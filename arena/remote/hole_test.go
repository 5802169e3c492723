package remote

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// blame ends a game after its second move by a fault of the engine b that is next to move, or
// of the other one a move later.
func blame(rec *arena.Game, kind game.FaultKind, detail string) {
	plies := 2
	if rec.Engine(game.First) != "b" {
		plies = 3
	}
	if len(rec.Moves) <= plies {
		return
	}
	rec.Moves, rec.Plies = rec.Moves[:plies], rec.Plies[:plies]
	seat := rec.Plies[plies-1].Seat.Other()
	if kind == "" {
		rec.Plies = append(rec.Plies, arena.Ply{Seat: seat, Depth: 1, Nodes: 1})
		rec.Outcome = game.Outcome{Winner: seat.Other(), Reason: game.Resigned}
		return
	}
	rec.Source, rec.Blamed, rec.Fault = arena.Faulted, seat, &game.Fault{Kind: kind, Detail: detail}
	rec.Outcome = game.Outcome{Winner: seat.Other(), Reason: string(kind)}
	if kind == game.FaultExited || kind == game.FaultIllegal {
		rec.Outcome.Reason = rec.Fault.Error()
	}
	rec.Seconds = 100
}

// fabricated are games that no rule can show to be false: made-up ends, and legal moves.
var fabricated = map[string]func(rec *arena.Game){
	"timeouts":        func(rec *arena.Game) { blame(rec, game.FaultTimeout, "used 1m0s of 1m0s, CPU 1m0s") },
	"exits":           func(rec *arena.Game) { blame(rec, game.FaultExited, "3") },
	"illegal":         func(rec *arena.Game) { blame(rec, game.FaultIllegal, "a1…: anything") },
	"resignations":    func(rec *arena.Game) { blame(rec, "", "") },
	"another program": nil, // its engine a is weaker than it should be
}

// A worker that makes up faults and resignations, or whose engines are other programs, is expelled,
// and none of its games counts: the run is that of the honest worker beside it, which nothing is charged to.
func TestHole13FabricatedEnds(t *testing.T) {
	const rounds = 40
	for name, lie := range fabricated {
		for audit, begin := range map[float64]int64{1: 2, 0.3: 40} { // games of the liar before the honest one comes
			t.Run(name+map[float64]string{1: " all audited", 0.3: " some audited"}[audit], func(t *testing.T) {
				t.Parallel()
				tb := newTable(t, rounds)
				tb.plan.Audit = audit
				lie := lie
				if lie == nil {
					tb.other = map[string]map[string]int{"liar": {"a": 0, "b": 40}}
					lie = func(*arena.Game) {}
				}
				var lies atomic.Int64
				tb.worker("liar", 1, func(rec *arena.Game) error {
					lies.Add(1)
					lie(rec)
					return nil
				})
				ahead := func(begin int64) { // one that is expelled leaves all to the honest one
					for lies.Load() < begin && !strings.Contains(tb.said(), "liar is expelled") {
						time.Sleep(time.Millisecond)
					}
				}
				var come sync.WaitGroup
				come.Go(func() {
					ahead(begin)
					tb.worker("honest", 1, func(*arena.Game) error { ahead(12); return nil })
				})
				tb.same(0)
				come.Wait()
				got, said := tb.noted(), tb.said()
				if got["excluded liar"]+got["expelled liar"] == 0 {
					t.Errorf("the liar is not expelled: %v, said:\n%s", got, said)
				}
				for what, n := range got {
					if strings.HasSuffix(what, " honest") && what != "audit due honest" && what != "audit equal honest" && n > 0 {
						t.Errorf("the honest worker has %q, said:\n%s", what, said)
					}
				}
			})
		}
	}
}

// A worker that is caught once, and never lies again, does not keep what it lied about before.
func TestHole13EarlierLies(t *testing.T) {
	const rounds = 40
	tb := newTable(t, rounds)
	tb.plan.Audit = 0.3
	tb.worker("liar", 1, func(rec *arena.Game) error {
		if !strings.Contains(tb.said(), "this machine decides") {
			blame(rec, game.FaultExited, "3")
		}
		return nil
	})
	ahead := sync.OnceFunc(func() { // the liar gets ahead
		for len(tb.store.Records()) < rounds {
			time.Sleep(time.Millisecond)
		}
	})
	tb.after = func(*arena.Game) error { ahead(); return nil }
	tb.same(1)
}
