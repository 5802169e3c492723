package tournament

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
)

func TestSwissNeverRepeatsAPairing(t *testing.T) {
	for n := 2; n <= 14; n++ {
		most := (n + 1) / 2
		for seed := range 3 {
			plan := planOf("swiss", n, most)
			f, got := simulate(t, plan, byStrength(40+10*seed), 3, rand.New(rand.NewPCG(uint64(seed), 1)))
			if got.Stop.Text != allPlayed(most, "round") {
				t.Fatalf("%d engines: %+v", n, got.Stop)
			}
			met := map[[2]int]bool{}
			inRound := map[[2]int]bool{}
			for _, p := range got.Pairs {
				if met[[2]int{p.A, p.B}] {
					t.Errorf("%d engines: %d and %d meet twice", n, p.A, p.B)
				}
				met[[2]int{p.A, p.B}] = true
				for _, e := range []int{p.A, p.B} {
					if inRound[[2]int{p.Round, e}] {
						t.Errorf("%d engines: %d plays twice in round %d", n, e, p.Round)
					}
					inRound[[2]int{p.Round, e}] = true
				}
			}
			if want := most * (n / 2); len(got.Pairs) != want || f.Games() != 2*want {
				t.Errorf("%d engines: %d pairs, want %d", n, len(got.Pairs), want)
			}
			points := 0.0
			for _, st := range summaryOf(f).Standings {
				points += st.Points
			}
			if want := float64(most * (n + n%2)); points != want {
				t.Errorf("%d engines: %v points in all, want %v", n, points, want)
			}
		}
	}
}

// stronger lets the engine with the lower place win.
func stronger(Pair, int) ended { return ended{winner: 0} }

func TestSwissPairsLikeWithLike(t *testing.T) {
	plan := planOf("swiss", 8, 3)
	f, got := simulate(t, plan, stronger, 1, alone())
	var rounds [3][]string
	for _, p := range got.Pairs {
		rounds[p.Round-1] = append(rounds[p.Round-1], plan.Engines[p.A].Name+plan.Engines[p.B].Name)
	}
	want := [3][]string{{"ab", "cd", "ef", "gh"}, {"ac", "eg", "bd", "fh"}, {"ae", "bc", "fg", "dh"}}
	if diff := cmp.Diff(want, rounds); diff != "" {
		t.Error(diff)
	}
	standings := summaryOf(f).Standings
	if first := standings[0]; first.Engine != "a" || first.Points != 6 || first.Wins != 6 || standings[7].Engine != "h" {
		t.Errorf("standings %+v", standings)
	}
}

// A match with an engine that left is worth winning for the one that stays: half of the
// engine's matches have no game.
func TestSwissWithoutAnEngineThatLeft(t *testing.T) {
	plan := planOf("swiss", 4, 2)
	plan.Engines[1].OnFault, plan.Engines[1].MaxFault = arena.FaultDrop, 1
	crash := func(p Pair, _ int) ended {
		if p.B == 1 {
			return ended{winner: 0, failed: 2, moved: true}
		}
		return ended{winner: p.Number % 2}
	}
	f, _ := simulate(t, plan, crash, 1, alone())
	points := map[string]float64{}
	for _, st := range summaryOf(f).Standings {
		points[st.Engine] = st.Points
	}
	if points["b"] != 0 || points["a"]+points["c"]+points["d"] != 8 {
		t.Errorf("points %v", points)
	}
	// Nobody wins a match of two that left.
	plan.Engines[3].OnFault, plan.Engines[3].MaxFault = arena.FaultDrop, 1
	f, _ = simulate(t, plan, func(p Pair, leg int) ended { return ended{winner: 0, failed: 2, moved: true} }, 1, alone())
	for _, st := range summaryOf(f).Standings {
		if (st.Engine == "b" || st.Engine == "d") && st.Points > 0 {
			t.Errorf("%+v", st)
		}
	}
}

func TestKnockout(t *testing.T) {
	one := func(_ Pair, leg int) ended { return ended{winner: -leg} }
	for n := 2; n <= 17; n++ {
		plan := planOf("knockout", n, 0)
		plan.Format.PairsPerMatch = 2
		f, got := simulate(t, plan, one, 2, alone())
		if len(got.Pairs) != 2*(n-1) || f.Games() != 4*(n-1) || got.Stop.Text != "a won the final" {
			t.Errorf("%d engines: %d pairs, %d games, %+v", n, len(got.Pairs), f.Games(), got.Stop)
		}
		last := got.Pairs[len(got.Pairs)-1]
		if last.A != 0 || last.B != 1 {
			t.Errorf("%d engines: the final is %+v, want the two highest seeds", n, last)
		}
		standings := summaryOf(f).Standings
		if standings[0].Engine != "a" || standings[1].Engine != "b" || !strings.HasPrefix(standings[1].Note, "out in round") {
			t.Errorf("standings %+v", standings)
		}
	}
}

func TestKnockoutTies(t *testing.T) {
	plan := planOf("knockout", 2, 0)
	even := func(_ Pair, leg int) ended { return ended{winner: leg} }
	f, got := simulate(t, plan, even, 2, alone())
	if len(got.Pairs) != 9 || f.Games() != 18 {
		t.Errorf("%d pairs: want one and eight further ones", len(got.Pairs))
	}
	sum := summaryOf(f)
	if want := "a won the final as the higher seed of a tie"; got.Stop.Text != want || sum.Bracket[0].Points != [2]float64{9, 9} {
		t.Errorf("%+v, %+v", got.Stop, sum.Bracket)
	}
	if note := sum.Standings[0].Note; note != "advanced in round 1 as the higher seed" {
		t.Errorf("note %q", note)
	}
	numbers := map[int]bool{}
	for _, p := range got.Pairs {
		numbers[p.Number] = true
	}
	if len(numbers) != 9 {
		t.Error("further pairs are from the same opening")
	}
	third := func(p Pair, leg int) ended { // decided in the second further pair
		if p.Number == 2 {
			return ended{winner: 1}
		}
		return even(p, leg)
	}
	if _, got := simulate(t, plan, third, 1, alone()); len(got.Pairs) != 3 || got.Stop.Text != "b won the final" {
		t.Errorf("%d pairs, %+v", len(got.Pairs), got.Stop)
	}
}

func TestCells(t *testing.T) {
	plan := planOf("cells", 1, 2)
	plan.Openings.Positions = []string{"5 1", "6 1", "7 1"}
	f, got := simulate(t, plan, byStrength(50), 2, alone())
	if f.Games() != 6 || len(got.Pairs) != 6 || got.Stop.Text != "all 3 cells are played" {
		t.Errorf("%d games, %+v", f.Games(), got.Stop)
	}
	for i, p := range got.Pairs {
		if p.Number%3 != i%3 || len(p.Legs()) != 1 || p.A != p.B {
			t.Errorf("pair %d is %+v", i, p)
		}
	}
	plan = planOf("cells", 3, 2)
	plan.Openings.Positions = []string{"5 1", "6 1"}
	if f, _ = simulate(t, plan, byStrength(50), 2, alone()); f.Games() != 3*2*2*2 {
		t.Errorf("%d games of 3 pairings, 2 starts, 2 pairs", f.Games())
	}
}

func TestCellsPlayMoreWhereTheyKnowLess(t *testing.T) {
	plan := planOf("cells", 1, 100_000)
	plan.Openings.Positions = []string{"5 1", "6 1"}
	plan.Until.ScoreError = 0.05
	clear := func(p Pair, leg int) ended { // the first start is always won, the second is even
		if p.Number%2 == 0 {
			return ended{winner: 0}
		}
		return byStrength(45)(p, leg)
	}
	f, got := simulate(t, plan, clear, 3, alone())
	var games [2]int
	for _, p := range got.Pairs {
		games[p.Number%2]++
	}
	if games[0]*3 > games[1] || games[0] < least {
		t.Errorf("%v games: the even start needs many more than the clear one", games)
	}
	for _, one := range f.format.(*rounds).cells {
		if half := *one.Estimate().Cell().ScoreError; half > 0.05 || half < 0.03 {
			t.Errorf("a cell ends with ±%.3f after %d games", half, one.Games.Games())
		}
	}
	if got.Stop.Kind != arena.StopNarrow || got.Stop.Text != "every cell's score is within 5 %" {
		t.Error(got.Stop)
	}
	plan.Format.Rounds = 20
	if _, got = simulate(t, plan, clear, 3, alone()); len(got.Pairs) != 40 || !strings.HasPrefix(got.Stop.Text, "the limit of 20 pairs") {
		t.Errorf("%d pairs, %+v", len(got.Pairs), got.Stop)
	}
}

// The two games of a pair are one unit of a cell's error: if the first seat
// always wins, a start has half as much evidence as it has games.
func TestThePairIsTheUnitOfACell(t *testing.T) {
	plan := planOf("cells", 2, 100_000)
	plan.Openings.Positions = []string{"5 1"}
	plan.Until.ScoreError = 0.05
	seat := func(p Pair, leg int) ended { // who sits first wins both games, or loses both
		return ended{winner: int(diceOf(p, 0)>>9+uint64(leg)) % 2}
	}
	f, got := simulate(t, plan, seat, 1, alone())
	one := f.format.(*rounds).cells[0]
	if got.Stop.Kind != arena.StopNarrow || one.Pairs.Pairs() < 380 || one.Pairs[2] > 0 || one.Singles.Games() != 0 {
		t.Errorf("within 5 %% after %d pairs, want about 384: %+v", one.Pairs.Pairs(), got.Stop)
	}
}
