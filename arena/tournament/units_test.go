package tournament

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/gametest"
)

// byNodes is a plan under node limits.
func byNodes(format string, engines, rounds int) *arena.Plan {
	return with(planOf(format, engines, rounds), func(p *arena.Plan) {
		p.Limit = arena.Limit{Nodes: 100}
		p.Openings.RandomPlies = 4
	})
}

func warning(sum *arena.Summary, kind arena.WarningKind) arena.Warning {
	i := slices.IndexFunc(sum.Warnings, func(w arena.Warning) bool { return w.Kind == kind })
	if i < 0 {
		return arena.Warning{}
	}
	return sum.Warnings[i]
}

// pairsOf returns the sum of all pairs of a summary.
func pairsOf(sum *arena.Summary) (pairs rating.Penta, games int) {
	for _, row := range sum.Rows {
		games += row.Total()
		pairs = pairs.Add(row.Pairs)
	}
	return pairs, games
}

// Whether a pair is skipped depends only on its place in job order: a pair
// that was played early, but comes after the place where its engine left, is
// surplus.
func TestAnEngineLeavesAtItsPlaceInJobOrder(t *testing.T) {
	plan := planOf("round-robin", 3, 6)
	plan.Engines[1].OnFault, plan.Engines[1].MaxFault = arena.FaultDrop, 2
	crash := func(p Pair, leg int) ended {
		if p.A == 1 {
			return ended{winner: 1, failed: 1, moved: true}
		}
		return ended{winner: 0}
	}
	f, err := New(plan)
	gametest.OK(t, err)
	var works []Work
	for w, state := f.Next(); state == Ready; w, state = f.Next() {
		works = append(works, w)
	}
	slices.Reverse(works) // the last pairs end first
	for _, w := range works {
		f.Add(gameOf(plan, crash, w, 0))
		f.Add(gameOf(plan, crash, w, 1))
	}
	sum := summaryOf(f)
	want := []arena.Drop{{Engine: "b", Faults: 2, Pairs: 3, Game: "1-2-0-1", Text: "b left the run after 2 faults"}}
	if diff := cmp.Diff(want, sum.Drops); diff != "" {
		t.Error(diff)
	}
	// All engines meet in round 1, and then only a and c: 3 + 5 pairs.
	if pairs, games := pairsOf(sum); pairs != (rating.Penta{1, 0, 0, 0, 7}) || games != 16 || sum.Counted != 16 || sum.Surplus != 20 {
		t.Errorf("pairs %v, %d games count, %d do not", pairs, sum.Counted, sum.Surplus)
	}
	if warning(sum, arena.WarnSurplus).Text == "" {
		t.Errorf("warnings %v", sum.Warnings)
	}
}

func TestADeadEngineEndsARunOfTwo(t *testing.T) {
	for _, tt := range []struct {
		name  string
		moved bool
		kind  arena.StopKind
	}{{"before its first move", false, arena.StopDead}, {"after it", true, arena.StopDecided}} {
		refer := func(Pair, int) ended { return ended{winner: 0, failed: 2, moved: tt.moved} }
		f, got := simulate(t, planOf("sprt", 2, 100_000), refer, 5, alone())
		sum := summaryOf(f)
		if got.Stop.Kind != tt.kind || got.Stop.Finding() != (tt.kind == arena.StopDead) {
			t.Errorf("%s: %+v", tt.name, got.Stop)
		}
		if !tt.moved && (got.Stop.Engine != "b" || got.Stop.Game != "0-1-1-0" || got.Stop.Pairs != 2 || sum.Counted != 0 || sum.Annulled != 4 || sum.Dead[0].Engine != "b" || sum.Dead[0].Game != "0-1-0-0" || !sum.Drops[0].Dead) {
			t.Errorf("%s: %+v, %d games count", tt.name, got.Stop, sum.Counted)
		}
	}
	later := func(p Pair, leg int) ended { // the third game is well
		if p.Number == 1 && leg == 0 {
			return ended{winner: 1}
		}
		return ended{winner: 0, failed: 2}
	}
	f, got := simulate(t, planOf("round-robin", 2, 10), later, 3, alone())
	if got.Stop.Kind != arena.StopPlayed {
		t.Errorf("an engine that moved in one of its first games: %+v", got.Stop)
	}
	if first := summaryOf(f).Course.Scores[0]; first.Games == 0 { // its first pair was two faults
		t.Errorf("the course begins at %+v", first)
	}
	self := func(Pair, int) ended { return ended{winner: 1, failed: 1} }
	if _, got := simulate(t, planOf("cells", 1, 10), self, 1, alone()); got.Stop.Kind != arena.StopDead || got.Stop.Pairs != 3 {
		t.Errorf("one against itself: %+v", got.Stop)
	}
}

func TestTooFewEnginesAreLeft(t *testing.T) {
	plan := planOf("sprt", 2, 100)
	plan.Engines[0].OnFault, plan.Engines[0].MaxFault = arena.FaultDrop, 1
	crash := func(Pair, int) ended { return ended{winner: 1, failed: 1, moved: true} }
	f, got := simulate(t, plan, crash, 1, alone())
	if got.Stop.Kind != arena.StopLeft || got.Stop.Engine != "a" || got.Stop.Text != "a left the run after a fault: too few engines are left" {
		t.Errorf("%+v", got.Stop)
	}
	for text, want := range map[string]bool{"h1": false, "h0": false, "not-h0": false} {
		if met := met(t, plan, text, f); met != want {
			t.Errorf("%s: %v", text, met)
		}
	}
}

// Under node and depth limits an opening counts once, at its first place in
// job order, whatever the results. Under time limits every pair counts.
func TestARepeatedOpeningCountsOnce(t *testing.T) {
	refer := func(p Pair, leg int) ended { // the first and the last pair of three have the same opening
		return ended{winner: p.Number % 2, same: p.Number != 1}
	}
	for _, tt := range []struct {
		limit    arena.Limit
		pairs    rating.Penta
		repeated int
		kind     arena.WarningKind
	}{
		{arena.Limit{Nodes: 100}, rating.Penta{1, 0, 0, 0, 1}, 2, arena.WarnRepeated},
		{arena.Limit{Depth: 3}, rating.Penta{1, 0, 0, 0, 1}, 2, arena.WarnRepeated},
		{arena.Limit{Move: 100}, rating.Penta{1, 0, 0, 0, 2}, 0, arena.WarnShared},
	} {
		plan := with(planOf("round-robin", 2, 3), func(p *arena.Plan) { p.Limit, p.Openings.RandomPlies = tt.limit, 4 })
		f, _ := simulate(t, plan, refer, 6, alone())
		sum := summaryOf(f)
		if pairs, _ := pairsOf(sum); pairs != tt.pairs || sum.Repeated != tt.repeated || sum.Counted != 6-tt.repeated {
			t.Errorf("%+v: pairs %v, %d games count, %d are repeats", tt.limit, pairs, sum.Counted, sum.Repeated)
		}
		if w := warning(sum, tt.kind); w.Games != 2 || !strings.Contains(w.Text, "hint: openings: {random_plies: 6}") {
			t.Errorf("%+v: warnings %v", tt.limit, sum.Warnings)
		}
	}
}

func TestUsedUpOpeningsEndARun(t *testing.T) {
	one := func(change func(*arena.Plan), format string, engines, rounds int) (*Director, course) {
		plan := with(byNodes(format, engines, rounds), func(p *arena.Plan) { p.Openings.RandomPlies = 0 })
		if change != nil {
			change(plan)
		}
		return simulate(t, plan, byStrength(50), 3, alone())
	}
	book := func(n int) func(*arena.Plan) {
		return func(p *arena.Plan) { p.Openings.Count, p.Openings.File = n, "book" }
	}
	for _, tt := range []struct {
		name   string
		change func(*arena.Plan)
		format string
		n      int
		rounds int
		pairs  int // handed out
		kind   arena.StopKind
	}{
		{"one start", nil, "sprt", 2, 1000, 1, arena.StopOpenings},
		{"a book of 5", book(5), "sprt", 2, 1000, 5, arena.StopOpenings},
		{"a book of 5", book(5), "round-robin", 2, 7, 5, arena.StopOpenings},
		{"a book of 5 is enough", book(5), "round-robin", 2, 5, 5, arena.StopPlayed},
		{"three pairings", book(5), "round-robin", 3, 100_000, 15, arena.StopOpenings},
		{"a pairing under time goes on", func(p *arena.Plan) { p.Engines[2].Limit.Move = 5 }, "round-robin", 3, 10, 21, arena.StopOpenings},
		{"single games have two seats", func(p *arena.Plan) { p.Format.Pairs = false }, "round-robin", 2, 10, 2, arena.StopOpenings},
		{"cells", nil, "cells", 2, 10, 1, arena.StopOpenings},
		{"a cell of one engine", nil, "cells", 1, 10, 1, arena.StopOpenings},
		{"a swiss counts what there is", func(p *arena.Plan) { p.Format.PairsPerMatch = 3 }, "swiss", 4, 2, 4, arena.StopPlayed},
		{"a knockout too", func(p *arena.Plan) { p.Format.PairsPerMatch = 3 }, "knockout", 4, 0, 3, arena.StopPlayed},
	} {
		f, got := one(tt.change, tt.format, tt.n, tt.rounds)
		if len(got.Pairs) != tt.pairs || got.Stop.Kind != tt.kind {
			t.Errorf("%s: %d pairs, %+v", tt.name, len(got.Pairs), got.Stop)
		}
		if tt.kind == arena.StopOpenings && (!strings.Contains(got.Stop.Text, "random_plies: 4") || !got.Stop.Finding()) {
			t.Errorf("%s: %s", tt.name, got.Stop.Text)
		}
		if sum := summaryOf(f); sum.Repeated > 0 {
			t.Errorf("%s: %d games were played that were known to repeat", tt.name, sum.Repeated)
		}
	}
	_, got := one(func(p *arena.Plan) { p.Format.PairsPerMatch = 3 }, "swiss", 4, 2)
	if !strings.Contains(got.Stop.Text, "with 1 of 3 pairs a match") {
		t.Error(got.Stop.Text)
	}
}

// An unfinished pair adds its game to the score but no unit.
func TestAnUnfinishedPairIsNoUnit(t *testing.T) {
	plan := byNodes("round-robin", 2, 10)
	f, err := New(plan)
	gametest.OK(t, err)
	for n := range 4 {
		w, _ := f.Next()
		f.Add(gameOf(plan, stronger, w, 0))
		if n < 3 {
			f.Add(gameOf(plan, stronger, w, 1))
		}
	}
	sum := summaryOf(f)
	pairs, games := pairsOf(sum)
	if pairs != (rating.Penta{4: 3}) || games != 7 || warning(sum, arena.WarnHalfPairs).Games != 1 {
		t.Errorf("pairs %v, %d games, %v", pairs, games, sum.Warnings)
	}
	for _, row := range sum.Rows {
		if row.Singles.Games() > 0 {
			t.Errorf("a game of a pair is a unit: %+v", row.Tally)
		}
	}
}

func TestGamesThatThePlanDoesNotHave(t *testing.T) {
	plan := byNodes("round-robin", 3, 4)
	_, got := simulate(t, plan, byStrength(50), 1, alone())
	less := with(byNodes("round-robin", 2, 2), func(p *arena.Plan) {})
	sum, err := Summarize(less, arena.RunInfo{}, Stored(got.Games), nil)
	gametest.OK(t, err)
	if w := warning(sum, arena.WarnUnknown); w.Games != 20 || sum.Counted != 4 || sum.Surplus != 0 || sum.Stop.Kind != arena.StopPlayed {
		t.Errorf("%d games count, %+v, %v", sum.Counted, sum.Stop, sum.Warnings)
	}
}

func TestImportedGamesCountAsTheyAre(t *testing.T) {
	plan := planOf("imported", 2, 0)
	var games []arena.Game
	for i := range 5 {
		g := arena.Game{Job: arena.Job{ID: fmt.Sprint(i), Pairing: [2]string{"a", "b"}, Pair: i}, StartHash: 1}
		g.Outcome.Winner = g.Seat(i % 2)
		games = append(games, g)
	}
	sum, err := Summarize(plan, arena.RunInfo{Name: "old"}, Stored(games), nil)
	gametest.OK(t, err)
	if sum.Counted != 5 || sum.Stop != nil || sum.Rows[0].Singles != (rating.WDL{Wins: 3, Losses: 2}) || len(sum.Warnings) != 0 || sum.Run.Name != "old" {
		t.Errorf("%+v", sum)
	}
}
