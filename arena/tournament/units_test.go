package tournament

import (
	"fmt"
	"slices"
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
