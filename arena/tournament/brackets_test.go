package tournament

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
)

func TestSwissNeverRepeatsAPairing(t *testing.T) {
	for n := 2; n <= 14; n++ {
		most := n - 1 + n%2
		for seed := range 3 {
			plan := planOf("swiss", n, most)
			s, got := simulate(t, plan, byStrength(40+10*seed), 3, rand.New(rand.NewPCG(uint64(seed), 1)))
			if got.Reason != allPlayed(most, "round") {
				t.Fatalf("%d engines: %s", n, got.Reason)
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
			if want := most * (n / 2); len(got.Pairs) != want || s.Games() != 2*want {
				t.Errorf("%d engines: %d pairs, want %d", n, len(got.Pairs), want)
			}
			points := 0.0
			for _, st := range s.Standings() {
				points += st.Points
			}
			if want := float64(most * (n + n%2)); points != want {
				t.Errorf("%d engines: %v points in all, want %v", n, points, want)
			}
		}
	}
}

func TestSwissPairsLikeWithLike(t *testing.T) {
	plan := planOf("swiss", 8, 3)
	stronger := func(p Pair) Result {
		return Result{Games: []Game{{Winner: 0, Blamed: -1, Same: 1}, {Winner: 0, Blamed: -1, Same: 2}}}
	}
	s, got := simulate(t, plan, stronger, 1, rand.New(rand.NewPCG(1, 1)))
	var rounds [3][]string
	for _, p := range got.Pairs {
		rounds[p.Round-1] = append(rounds[p.Round-1], plan.Engines[p.A].Name+plan.Engines[p.B].Name)
	}
	want := [3][]string{{"ab", "cd", "ef", "gh"}, {"ac", "eg", "bd", "fh"}, {"ae", "bc", "fg", "dh"}}
	if diff := cmp.Diff(want, rounds); diff != "" {
		t.Error(diff)
	}
	standings := s.Standings()
	if standings[0].Engine != 0 || standings[0].Points != 6 || standings[0].Wins != 6 || standings[7].Engine != 7 {
		t.Errorf("standings %+v", standings)
	}
}

func TestSwissBye(t *testing.T) {
	plan := planOf("swiss", 3, 1)
	s, got := simulate(t, plan, byStrength(0), 1, rand.New(rand.NewPCG(1, 1)))
	if len(got.Pairs) != 1 || got.Pairs[0].B != 1 {
		t.Fatalf("pairs %+v", got.Pairs)
	}
	for _, st := range s.Standings() {
		if st.Engine == 2 && (st.Points != 2 || st.Note != "bye in round 1") {
			t.Errorf("the bye's standing is %+v", st)
		}
	}
}

func TestKnockout(t *testing.T) {
	stronger := func(p Pair) Result {
		return Result{Games: []Game{{Winner: 0, Blamed: -1, Same: 1}, {Winner: -1, Blamed: -1, Same: 2}}}
	}
	for n := 2; n <= 17; n++ {
		plan := planOf("knockout", n, 0)
		plan.Format.PairsPerMatch, plan.Format.Extra = 2, 4
		s, got := simulate(t, plan, stronger, 2, rand.New(rand.NewPCG(1, 1)))
		if len(got.Pairs) != 2*(n-1) || s.Games() != 4*(n-1) || got.Reason != "a won the final" {
			t.Errorf("%d engines: %d pairs, %d games, %s", n, len(got.Pairs), s.Games(), got.Reason)
		}
		last := got.Pairs[len(got.Pairs)-1]
		if last.A != 0 || last.B != 1 {
			t.Errorf("%d engines: the final is %+v, want the two highest seeds", n, last)
		}
		standings := s.Standings()
		if standings[0].Engine != 0 || standings[1].Engine != 1 || !strings.HasPrefix(standings[1].Note, "out in round") {
			t.Errorf("standings %+v", standings)
		}
	}
}

func TestKnockoutTies(t *testing.T) {
	plan := planOf("knockout", 2, 0)
	plan.Format.Extra = 3
	even := func(p Pair) Result {
		return Result{Games: []Game{{Winner: 0, Blamed: -1, Same: 1}, {Winner: 1, Blamed: -1, Same: 2}}}
	}
	s, got := simulate(t, plan, even, 2, rand.New(rand.NewPCG(1, 1)))
	if len(got.Pairs) != 4 || s.Games() != 8 {
		t.Errorf("%d pairs: want one and three further ones", len(got.Pairs))
	}
	want := []string{"a and b are tied 4:4 after 3 further pairs in round 1: a goes on as the higher seed"}
	if diff := cmp.Diff(want, got.Remarks); diff != "" {
		t.Error(diff)
	}
	if note := s.Standings()[0].Note; note != "went on in round 1 as the higher seed" {
		t.Errorf("note %q", note)
	}
	numbers := map[int]bool{}
	for _, p := range got.Pairs {
		numbers[p.Number] = true
	}
	if len(numbers) != 4 {
		t.Error("further pairs are from the same opening")
	}
	third := func(p Pair) Result { // decided in the second further pair
		if p.Number == 2 {
			return Result{Games: []Game{{Winner: 1, Blamed: -1, Same: 1}, {Winner: 1, Blamed: -1, Same: 2}}}
		}
		return even(p)
	}
	if _, got := simulate(t, plan, third, 1, rand.New(rand.NewPCG(1, 1))); len(got.Pairs) != 3 || got.Reason != "b won the final" {
		t.Errorf("%d pairs, %s", len(got.Pairs), got.Reason)
	}
}

func TestEnginesThatLeave(t *testing.T) {
	crash := func(p Pair) Result {
		r := byStrength(50)(p)
		for i := range r.Games {
			switch {
			case p.B == 1:
				r.Games[i].Winner, r.Games[i].Blamed = 0, 1
			case p.A == 1:
				r.Games[i].Winner, r.Games[i].Blamed = 1, 0
			}
		}
		return r
	}
	for _, format := range []string{"round-robin", "gauntlet", "swiss", "knockout", "cells"} {
		plan := planOf(format, 4, 3)
		for i := range plan.Engines {
			plan.Engines[i].OnFault, plan.Engines[i].MaxFault = arena.FaultDrop, 2
		}
		s, got := simulate(t, plan, crash, 1, rand.New(rand.NewPCG(1, 1)))
		games := 0
		for _, p := range got.Pairs {
			if p.A == 1 || p.B == 1 {
				games++
			}
		}
		if games != 1 || !slices.Contains(got.Remarks, "b left the run after 2 faults") {
			t.Errorf("%s: b played %d pairs; %q", format, games, got.Remarks)
		}
		if format == "knockout" && !strings.HasSuffix(got.Reason, "won the final") {
			t.Errorf("%s", got.Reason)
		}
		if st := s.Standings(); format == "swiss" && (len(st) != 4 || st[3].Engine != 1) {
			t.Errorf("swiss: %+v", st)
		}
	}
	plan := planOf("sprt", 2, 100)
	plan.Engines[1].OnFault, plan.Engines[1].MaxFault = arena.FaultDrop, 2
	plan.Engines[0].OnFault = arena.FaultDrop
	plan.Engines[0].MaxFault = 1
	if _, got := simulate(t, plan, crash, 1, rand.New(rand.NewPCG(1, 1))); got.Reason != "an engine left the run: the test is undecided" {
		t.Errorf("sprt: %s", got.Reason)
	}
}

func TestCells(t *testing.T) {
	plan := planOf("cells", 1, 2)
	plan.Openings.Positions = []string{"5 1", "6 1", "7 1"}
	s, got := simulate(t, plan, byStrength(50), 2, rand.New(rand.NewPCG(1, 1)))
	if s.Games() != 6 || len(got.Pairs) != 6 || got.Reason != "all 3 cells are played" {
		t.Errorf("%d games, %s", s.Games(), got.Reason)
	}
	for i, p := range got.Pairs {
		if p.Number%3 != i%3 || len(p.Legs()) != 1 || p.A != p.B {
			t.Errorf("pair %d is %+v", i, p)
		}
	}
	plan = planOf("cells", 3, 2)
	plan.Openings.Positions = []string{"5 1", "6 1"}
	if s, _ = simulate(t, plan, byStrength(50), 2, rand.New(rand.NewPCG(1, 1))); s.Games() != 3*2*2*2 {
		t.Errorf("%d games of 3 pairings, 2 starts, 2 pairs", s.Games())
	}
}

func TestCellsPlayMoreWhereTheyKnowLess(t *testing.T) {
	plan := planOf("cells", 1, 100_000)
	plan.Openings.Positions = []string{"5 1", "6 1"}
	plan.Until.ScoreError = 0.05
	clear := func(p Pair) Result { // the first start is always won, the second is even
		r := byStrength(45)(p)
		if p.Number%2 == 0 {
			r.Games[0].Winner = 0
		}
		return r
	}
	s, got := simulate(t, plan, clear, 3, rand.New(rand.NewPCG(1, 1)))
	var games [2]int
	for _, p := range got.Pairs {
		games[p.Number%2]++
	}
	if games[0]*3 > games[1] || games[0] < firstWave {
		t.Errorf("%v games: the even start needs many more than the clear one", games)
	}
	for _, tally := range s.format.(*cells).tally {
		if half := HalfWidth(tally); half > 0.05 || half < 0.03 {
			t.Errorf("a cell ends with ±%.3f after %d games", half, tally.Games())
		}
	}
	if got.Reason != "every cell's score is within 5 %" {
		t.Error(got.Reason)
	}
	plan.Format.Rounds = 20
	if _, got = simulate(t, plan, clear, 3, rand.New(rand.NewPCG(1, 1))); len(got.Pairs) != 40 || !strings.HasPrefix(got.Reason, "20 pairs of a cell") {
		t.Errorf("%d pairs, %s", len(got.Pairs), got.Reason)
	}
}

func TestRequirements(t *testing.T) {
	sprt, _ := simulate(t, planOf("sprt", 2, 100_000), byStrength(60), 1, rand.New(rand.NewPCG(1, 1)))
	table, _ := simulate(t, planOf("round-robin", 3, 50), byStrength(60), 1, rand.New(rand.NewPCG(1, 1)))
	for _, tt := range []struct {
		text string
		s    *Schedule
		met  bool
	}{
		{"h1", sprt, true},
		{"H0", sprt, false},
		{"not-h0", sprt, true},
		{"not-h1", sprt, false},
		{"elo_lo > -5", sprt, true},
		{"elo<=0", sprt, false},
		{"llr >= 2.9", sprt, true},
		{"los > 0.9", sprt, true},
		{"elo > 0", table, true},
		{"elo_hi < 0", table, false},
		{"score >= 0.5", table, true},
		{"games > 10", table, true},
		{"nelo > 0", table, false}, // unknown among three
	} {
		r, err := ParseRequirement(tt.text, tt.s.plan.Format.Name)
		if err != nil {
			t.Fatal(err)
		}
		if met, detail := r.Met(tt.s); met != tt.met || !strings.HasPrefix(detail, tt.text+": ") {
			t.Errorf("%s: %v, %s", tt.text, met, detail)
		}
	}
	all := func(Pair) Result {
		return Result{Games: []Game{{Winner: 0, Blamed: -1, Same: rand.Uint64()}, {Winner: 0, Blamed: -1, Same: rand.Uint64()}}}
	}
	swept, _ := simulate(t, planOf("round-robin", 2, 10), all, 1, rand.New(rand.NewPCG(1, 1)))
	for text, want := range map[string]bool{"elo > 1000": true, "elo_lo > 50": true, "elo_lo > 400": false, "los > 0.9": false} {
		r, err := ParseRequirement(text, "round-robin")
		if err != nil {
			t.Fatal(err)
		}
		if met, detail := r.Met(swept); met != want {
			t.Errorf("after a whitewash %s: %v, %s", text, met, detail)
		}
	}
	for _, bad := range []string{"h2", "elo", "elo > x", "elo = 5", "height > 5", ""} {
		if _, err := ParseRequirement(bad, "sprt"); err == nil {
			t.Errorf("%q was understood", bad)
		}
	}
	for _, bad := range []string{"h1", "llr > 0"} {
		if _, err := ParseRequirement(bad, "round-robin"); err == nil {
			t.Errorf("%q was understood of a round robin", bad)
		}
	}
}
