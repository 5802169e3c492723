package tournament

import (
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// unratedPairs is a referee that cannot judge the second game of every n-th pair. In
// the first game of those pairs b wins, in all other games a.
func unratedPairs(n int) referee {
	return func(p Pair, leg int) ended {
		if p.Number%n != 0 {
			return ended{winner: 0}
		}
		return ended{winner: 1, unrated: leg == 1}
	}
}

// An unrated pair is in no score, whatever its other game says, and a run goes on.
func TestUnratedPairsCountNowhere(t *testing.T) {
	for _, tt := range []struct {
		format          string
		engines, rounds int
		unrated         int
	}{
		{"round-robin", 2, 40, 4}, {"round-robin", 3, 20, 6}, {"gauntlet", 3, 20, 4}, {"sprt", 2, 40, 4}, {"cells", 2, 40, 4},
	} {
		plan := planOf(tt.format, tt.engines, tt.rounds)
		plan.SPRT.Elo1 = 0.5 // decides nothing
		f, got := simulate(t, plan, unratedPairs(10), 3, alone())
		sum := summaryOf(f)
		if sum.Unrated != tt.unrated {
			t.Errorf("%s of %d: %d pairs unrated, want %d", tt.format, tt.engines, sum.Unrated, tt.unrated)
		}
		won, total := 0, 0
		for _, row := range sum.Rows {
			won, total = won+int(row.Games.Wins), total+row.Total()
		}
		if won != total || total != 2*(len(got.Pairs)-tt.unrated) || sum.Counted != total {
			t.Errorf("%s of %d: %d of %d games won (%d counted), want all of %d pairs", tt.format, tt.engines, won, total, sum.Counted, len(got.Pairs)-tt.unrated)
		}
		ends := 0
		for _, e := range sum.Figures.Ends {
			if e.Source == arena.Unrated {
				ends += e.Games
			}
		}
		if ends != tt.unrated {
			t.Errorf("%s of %d: %d ends say that rules differ, want %d", tt.format, tt.engines, ends, tt.unrated)
		}
		if w := sum.Warnings; len(w) == 0 || w[0].Kind != arena.WarnUnrated || w[0].Games != 2*tt.unrated {
			t.Errorf("%s of %d: warnings %v", tt.format, tt.engines, w)
		}
		if tt.format == "sprt" && (f.Test().Pairs != tt.rounds-tt.unrated || got.Stop.Kind != arena.StopUnsure) {
			t.Errorf("the test counts %d pairs and ends as %s", f.Test().Pairs, got.Stop.Kind)
		}
	}
}

// In a bracket an unrated pair is worth nothing: a match of it alone is tied, and has
// another pair.
func TestUnratedPairsInBrackets(t *testing.T) {
	f, _ := simulate(t, planOf("knockout", 2, 1), unratedPairs(5), 1, alone())
	sum := summaryOf(f)
	if sum.Standings[0].Note != "" || sum.Unrated != 1 || sum.Standings[0].Engine != "a" || sum.Standings[0].Points != 2 || sum.Standings[1].Points != 0 {
		t.Errorf("%+v, %d unrated", sum.Standings, sum.Unrated)
	}
	f, _ = simulate(t, planOf("swiss", 4, 3), func(Pair, int) ended { return ended{winner: 0, unrated: true} }, 1, alone())
	for _, s := range summaryOf(f).Standings {
		if s.Points != 0 || s.Wins != 0 {
			t.Errorf("%+v from unrated games", s)
		}
	}
}

// Pairs beyond a gap count as they will when it is closed.
func TestUnratedPairsBeyondThePrefix(t *testing.T) {
	plan := planOf("round-robin", 2, 4)
	f, err := New(plan)
	gametest.OK(t, err)
	var held []*arena.Game
	for w, state := f.Next(); state == Ready; w, state = f.Next() {
		for _, leg := range w.Legs {
			game := gameOf(plan, unratedPairs(2), w, leg)
			if held = append(held, game); w.Pair.Number > 0 {
				f.Add(game)
			}
		}
	}
	if sum := summaryOf(f); sum.Unrated != 1 || sum.Counted != 4 {
		t.Errorf("%d unrated, %d counted", sum.Unrated, sum.Counted)
	}
	f.Add(held[1]) // the unrated game of the first pair
	if sum := summaryOf(f); sum.Unrated != 1 || sum.Counted != 4 {
		t.Errorf("half a pair: %d unrated, %d counted", sum.Unrated, sum.Counted)
	}
	f.Add(held[0])
	if sum := summaryOf(f); sum.Unrated != 2 || sum.Counted != 4 || f.Stop() == nil {
		t.Errorf("%d unrated, %d counted, stop %v", sum.Unrated, sum.Counted, f.Stop())
	}
}
