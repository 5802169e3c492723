package tournament

import (
	"math"
	"slices"
	"testing"

	"thera/arena"
	"thera/arena/rating"
)

// An unrated run has scores, and nothing that says who is stronger; when the doubt is
// over, it has.
func TestAnUnratedRunIsNotRated(t *testing.T) {
	row := func(a, b, first, second string, wins, losses int64) arena.Row {
		games := rating.WDL{Wins: wins, Losses: losses}
		return arena.Row{Pairing: [2]string{a, b}, Roles: [2]string{first, second}, Tally: arena.Tally{Counts: rating.Singly(games)}}
	}
	sum := &arena.Summary{
		Run:   arena.RunInfo{Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "idle"}}}},
		Rows:  []arena.Row{row("a", "b", "x", "y", 3, 7), row("a", "c", "y", "x", 4, 6), row("b", "c", "x", "y", 6, 4)},
		Doubt: &arena.Doubt{Kind: arena.DoubtBusy},
	}
	Rate(sum)
	f := &sum.Figures
	scores := []arena.Score{f.FirstSeat}
	var names []string
	for _, e := range f.Engines {
		names, scores = append(names, e.Name), append(scores, e.Score)
	}
	for _, p := range f.Pairings {
		if scores = append(scores, p.Score); p.Nelo != nil || len(p.Warnings) > 0 {
			t.Errorf("%+v", p)
		}
	}
	for _, r := range f.Roles {
		if scores = append(scores, r.Score); r.Advantage != nil {
			t.Errorf("%+v", r)
		}
	}
	for _, m := range f.Matchups {
		scores = append(scores, m.Score)
	}
	for _, c := range f.Matrix {
		scores = append(scores, arena.Score{Games: c.Games, Strength: rating.Strength{Score: c.Score, BoundLo: c.Lo, BoundHi: c.Hi}})
	}
	for _, s := range scores {
		if s.Elo != nil || s.EloLo != nil || s.EloHi != nil || s.ScoreError != nil || s.BoundLo != nil || s.BoundHi != nil || s.LOS != nil {
			t.Errorf("it says who is stronger: %+v", s)
		}
		if s.Games > 0 && s.Score == nil {
			t.Errorf("%d games have no score", s.Games)
		}
	}
	if want := []string{"b", "c", "a", "idle"}; !slices.Equal(names, want) || sum.Ratings != nil || len(sum.Warnings) > 0 {
		t.Errorf("%q, want %q; %v, %v", names, want, sum.Ratings, sum.Warnings)
	}
	sum.Doubt = nil
	if Rate(sum); sum.Ratings == nil || f.Engines[0].EloLo == nil || f.Matrix[1].Lo == nil || f.Roles[0].Elo == nil {
		t.Errorf("it is not rated: %+v", f)
	}
}

// An imported run may have an anchor that no match file has: it fixes nothing.
func TestNoAnchorIsBeyondAllRatings(t *testing.T) {
	for _, beyond := range []float64{1e300, -1e300, 2 * rating.MaxAnchor} {
		sum := &arena.Summary{
			Run:  arena.RunInfo{Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a", Anchor: &beyond}, {Name: "b"}}}},
			Rows: []arena.Row{{Pairing: [2]string{"a", "b"}, Tally: arena.Tally{Counts: rating.Singly(rating.WDL{Wins: 3, Losses: 7})}}},
		}
		Rate(sum)
		for _, e := range sum.Engines {
			if e.Elo == nil || math.Abs(*e.Elo) > 400 || e.EloLo == nil || e.EloHi == nil {
				t.Errorf("anchor %g: %s has %+v", beyond, e.Name, e.Score)
			}
		}
	}
}
