package tournament

import (
	"math/rand/v2"
	"strings"
	"testing"

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
