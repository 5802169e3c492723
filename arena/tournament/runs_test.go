package tournament

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// told is all that a run did and decided.
func told(plan *arena.Plan, f *Director, got course) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%d pairs of %d games; %s, finding %t: %+v", len(got.Pairs), f.Games(), got.Stop.Kind, got.Stop.Finding(), got.Stop)
	for i, p := range got.Pairs[:min(len(got.Pairs), 24)] {
		if i == 0 || p.Round != got.Pairs[i-1].Round {
			fmt.Fprintf(&b, " %d:", p.Round)
		}
		fmt.Fprintf(&b, " %s%s%d", plan.Engines[p.A].Name, plan.Engines[p.B].Name, p.Number)
		if legs := p.Legs(); len(legs) == 1 {
			fmt.Fprintf(&b, ".%d", legs[0])
		}
	}
	sum := summaryOf(f)
	say("\n%d count, %d annulled, %d surplus, %d repeated, %d pairs unrated, %d void",
		sum.Counted, sum.Annulled, sum.Surplus, sum.Repeated, sum.Unrated, sum.Voided.Pairs)
	for _, m := range pairings(sum.Rows).list {
		say("%v: games %v, pairs %v, singles %v", m.names, m.Games, m.Pairs, m.Singles)
		if e := m.Estimate(); e.ScoreError != nil && e.EloLo != nil && e.EloHi != nil {
			say("  score ±%.4f, Elo %.1f to %.1f", *e.ScoreError, *e.EloLo, *e.EloHi)
		}
	}
	for _, st := range sum.Standings {
		say("%+v", st)
	}
	for _, duel := range sum.Bracket {
		say("%+v", duel)
	}
	for _, drop := range sum.Drops {
		say("%+v", drop)
	}
	for _, dead := range sum.Dead {
		say("%+v", dead)
	}
	if test := sum.Test; test != nil {
		decided, left := cmp.Or(test.LLRAtDecision, new(float64)), cmp.Or(test.GamesLeft, new(-1.0))
		say("test: %s after %d pairs, LLR %.3f, %.3f when it was decided, %.0f games left",
			test.Decision, test.Pairs, test.LLR, *decided, *left)
	}
	if sum.Doubt != nil {
		say("doubt: %+v", *sum.Doubt)
	}
	for _, end := range sum.Figures.Ends {
		say("%d games: %s %s", end.Games, end.Source, end.Reason)
	}
	if scores := sum.Course.Scores; len(scores) > 0 {
		say("the course begins after %d games, with %d tests", scores[0].Games, len(sum.Course.LLR))
	}
	for _, w := range sum.Warnings {
		say("%s, %d games: %s", w.Kind, w.Games, w.Text)
	}
	return b.String()
}

// TestRuns plays runs whose referees make of them what their names say.
func TestRuns(t *testing.T) {
	var all strings.Builder
	none := func(*arena.Plan) {}
	match := func(n int) func(*arena.Plan) { return func(p *arena.Plan) { p.Format.PairsPerMatch = n } }
	drop := func(faults int, engines ...int) func(*arena.Plan) {
		return func(p *arena.Plan) {
			for _, i := range engines {
				p.Engines[i].OnFault, p.Engines[i].MaxFault = arena.FaultDrop, faults
			}
		}
	}
	until := func(u arena.Until, anchor *float64) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Until, p.Engines[len(p.Engines)-1].Anchor = u, anchor }
	}
	limit := func(l arena.Limit, plies int) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Limit, p.Openings.RandomPlies = l, plies }
	}
	book := func(n int) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Limit.Nodes, p.Openings.Count, p.Openings.File = 100, n, "book" }
	}
	starts := func(n int) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Openings.Positions = []string{"5 1", "6 1", "7 1"}[:n] }
	}
	nodes := func(change func(*arena.Plan)) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Limit.Nodes = 100; change(p) }
	}
	timed := func(p *arena.Plan) { book(5)(p); p.Engines[2].Limit.Move = 5 }
	seeds := func(p *arena.Plan) { p.Engines[1].Seed, p.Engines[3].Seed = true, true }
	first := func(_ Pair, leg int) ended { return ended{winner: -leg} }
	even := func(_ Pair, leg int) ended { return ended{winner: leg} }
	fails := func(who int, moved bool) referee {
		return func(Pair, int) ended { return ended{winner: 2 - who, failed: who, moved: moved} }
	}
	for _, tt := range []struct {
		name    string
		format  string
		engines int
		rounds  int
		change  func(*arena.Plan)
		refer   referee
	}{
		{"round robin", "round-robin", 3, 2, none, byStrength(50)},
		{"single games", "round-robin", 2, 3, func(p *arena.Plan) { p.Format.Pairs = false }, byStrength(50)},
		{"the first engine is the seed", "gauntlet", 4, 1, none, byStrength(50)},
		{"two seeds", "gauntlet", 4, 1, seeds, byStrength(50)},
		{"H1", "sprt", 2, 100_000, none, byStrength(60)},
		{"H0", "sprt", 2, 100_000, none, byStrength(35)},
		{"undecided", "sprt", 2, 30, none, byStrength(47)},
		{"like with like", "swiss", 8, 3, none, stronger},
		{"a swiss without an engine that left", "swiss", 4, 2, drop(1, 1), func(p Pair, _ int) ended {
			if p.B == 1 {
				return ended{winner: 0, failed: 2, moved: true}
			}
			return ended{winner: p.Number % 2}
		}},
		{"nobody wins a match of two that left", "swiss", 4, 2, drop(1, 1, 3), fails(2, true)},
		{"a final", "knockout", 2, 0, match(2), stronger},
		{"a knockout of five", "knockout", 5, 0, match(2), first},
		{"a knockout of 17", "knockout", 17, 0, match(2), first},
		{"a tie", "knockout", 2, 0, none, even},
		{"a tie until the second further pair", "knockout", 2, 0, none, func(p Pair, leg int) ended {
			if p.Number == 2 {
				return ended{winner: 1}
			}
			return even(p, leg)
		}},
		{"a tie without further openings", "knockout", 2, 0, book(2), even},
		{"lower seeds win", "knockout", 4, 0, none, func(Pair, int) ended { return ended{winner: 1} }},
		{"an engine leaves its match", "knockout", 4, 0, drop(1, 0, 1), func(p Pair, leg int) ended {
			if p.A < 2 && leg == 1 {
				return ended{winner: 1, failed: 1, moved: true}
			}
			return ended{winner: 0}
		}},
		{"cells of one engine", "cells", 1, 2, starts(3), byStrength(50)},
		{"cells of three", "cells", 3, 2, starts(2), byStrength(50)},
		{"dead before its first move", "sprt", 2, 100_000, none, fails(2, false)},
		{"faults after it", "sprt", 2, 100_000, none, fails(2, true)},
		{"well in its third game", "round-robin", 2, 10, none, func(p Pair, leg int) ended {
			if p.Number == 1 && leg == 0 {
				return ended{winner: 1}
			}
			return ended{winner: 0, failed: 2}
		}},
		{"dead against itself", "cells", 1, 10, none, fails(1, false)},
		{"too few engines are left", "sprt", 2, 100, drop(1, 0), fails(1, true)},
		{"an opening again under nodes", "round-robin", 2, 3, limit(arena.Limit{Nodes: 100}, 4), again},
		{"an opening again under depth", "round-robin", 2, 3, limit(arena.Limit{Depth: 3}, 4), again},
		{"an opening again under time", "round-robin", 2, 3, limit(arena.Limit{Move: 100}, 4), again},
		{"one start", "sprt", 2, 1000, limit(arena.Limit{Nodes: 100}, 0), byStrength(50)},
		{"a test with a book of 5", "sprt", 2, 1000, book(5), byStrength(50)},
		{"a book of 5 for 7 rounds", "round-robin", 2, 7, book(5), byStrength(50)},
		{"a book of 5 for 5", "round-robin", 2, 5, book(5), byStrength(50)},
		{"three pairings with a book of 5", "round-robin", 3, 100_000, book(5), byStrength(50)},
		{"a pairing under time goes on", "round-robin", 3, 10, timed, byStrength(50)},
		{"single games have two seats", "round-robin", 2, 10, nodes(func(p *arena.Plan) { p.Format.Pairs = false }), byStrength(50)},
		{"cells with one start", "cells", 2, 10, limit(arena.Limit{Nodes: 100}, 0), byStrength(50)},
		{"a cell of one engine", "cells", 1, 10, limit(arena.Limit{Nodes: 100}, 0), byStrength(50)},
		{"a swiss counts what there is", "swiss", 4, 2, nodes(match(3)), byStrength(50)},
		{"a knockout too", "knockout", 4, 0, nodes(match(3)), byStrength(50)},
		{"narrow Elo of two", "round-robin", 2, 5000, until(arena.Until{EloError: 25}, nil), byStrength(50)},
		{"narrow score of two", "round-robin", 2, 5000, until(arena.Until{ScoreError: 0.04}, nil), byStrength(50)},
		{"narrow Elo of three", "round-robin", 3, 5000, until(arena.Until{EloError: 40}, nil), byStrength(50)},
		{"narrow Elo to an anchor", "round-robin", 3, 5000, until(arena.Until{EloError: 60}, new(0.0)), byStrength(50)},
		{"narrow score beside an anchor", "round-robin", 3, 5000, until(arena.Until{ScoreError: 0.05}, new(0.0)), byStrength(50)},
		{"the pair is the unit of a cell", "cells", 2, 100_000, until(arena.Until{ScoreError: 0.05}, nil), func(p Pair, leg int) ended {
			return ended{winner: int(diceOf(p, 0)>>9+uint64(leg)) % 2} // who sits first wins both games, or loses both
		}},
		{"unrated pairs of two", "round-robin", 2, 40, none, unratedPairs(10)},
		{"unrated pairs of three", "round-robin", 3, 20, none, unratedPairs(10)},
		{"unrated pairs of a gauntlet", "gauntlet", 3, 20, none, unratedPairs(10)},
		{"unrated pairs of a test", "sprt", 2, 40, func(p *arena.Plan) { p.SPRT.Elo1 = 0.5 }, unratedPairs(10)},
		{"unrated pairs of cells", "cells", 2, 40, none, unratedPairs(10)},
		{"an unrated match", "knockout", 2, 1, none, unratedPairs(5)},
		{"a swiss of unrated games", "swiss", 4, 3, none, func(Pair, int) ended { return ended{winner: 0, unrated: true} }},
		{"3 of 60 pairs are void", "sprt", 2, 1000, none, func(p Pair, _ int) ended {
			return ended{winner: 0, stalls: uint8(btoi(p.Number < 3))}
		}},
		{"half of the pairs are void", "sprt", 2, 12, none, func(p Pair, _ int) ended {
			return ended{winner: p.Number % 2, stalls: uint8(btoi(p.Number%2 == 0))}
		}},
		{"void pairs spare the loser", "round-robin", 2, 300, none, func(p Pair, leg int) ended {
			return ended{winner: 0, stalls: uint8(btoi(leg == 1 && p.Number%30 == 0))}
		}},
	} {
		plan := planOf(tt.format, tt.engines, tt.rounds)
		tt.change(plan)
		f, got := simulate(t, plan, tt.refer, 1, alone())
		fmt.Fprintf(&all, "# %s\n%s\n", tt.name, told(plan, f, got))
	}
	gametest.Golden(t, "testdata/runs.txt", []byte(all.String()))
}

// again has the opening of the first pair in all pairs but the second.
func again(p Pair, _ int) ended { return ended{winner: p.Number % 2, same: p.Number != 1} }
