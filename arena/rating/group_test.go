package rating

import (
	"math"
	"testing"
)

func played() []Played {
	return []Played{
		{[2]string{"pan", "atlas"}, Singly(WDL{6, 0, 2})},
		{[2]string{"pan", "atlas"}, Singly(WDL{4, 0, 4})},
		{[2]string{"atlas", "pan"}, Singly(WDL{3, 2, 3})},
		{[2]string{"pan", "pan"}, Singly(WDL{5, 0, 1})},
	}
}

func names(groups []Group) map[string]WDL {
	out := map[string]WDL{}
	for _, g := range groups {
		out[g.Name] = g.Games
	}
	return out
}

func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		name string
		got  []Group
		want map[string]WDL
	}{
		{"role", ByRole(played()), map[string]WDL{"pan": {13, 2, 9}, "atlas": {9, 2, 13}}},
		{"match-up", ByMatchup(played()), map[string]WDL{"atlas - pan": {9, 2, 13}, "pan - pan": {5, 0, 1}}},
	} {
		got := names(tt.got)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v", tt.name, got)
		}
		for name, want := range tt.want {
			if got[name] != want {
				t.Errorf("%s %q: %v, want %v", tt.name, name, got[name], want)
			}
		}
	}
	if s := FirstSeat(played()); s.Games != 30 || math.Abs(*s.Score-19.0/30) > 1e-15 {
		t.Errorf("first seat: %d games, score %v", s.Games, *s.Score)
	}
	if s := FirstSeat(nil); s.Score != nil || len(s.Warnings) != 1 {
		t.Errorf("first seat of nothing: %+v", s)
	}
}

// TestRolesAreRatedByTheSameFit holds the roles' joint rating to that of the
// same counts under players' names.
func TestRolesAreRatedByTheSameFit(t *testing.T) {
	roles, err := Fit(RoleResults(played()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	same2, err := Fit([]Result{result("atlas", "pan", 9, 2, 13)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(roles.Players) != 2 {
		t.Fatalf("%d roles", len(roles.Players))
	}
	for i, p := range roles.Players {
		if *p.Elo != *same2.Players[i].Elo || *p.EloLo != *same2.Players[i].EloLo {
			t.Errorf("%s: %v, want %v", p.Name, *p.Elo, *same2.Players[i].Elo)
		}
	}
}

// TestPairsAreTheUnitOfGroups: pairs that cancel out leave no variance, which
// single games would show.
func TestPairsAreTheUnitOfGroups(t *testing.T) {
	games := WDL{51, 0, 49}
	roles := [2]string{"x", "y"}
	paired := ByRole([]Played{{roles, Counts{Games: games, Pairs: Penta{0, 0, 49, 0, 1}}}})[0].Summary
	single := ByRole([]Played{{roles, Singly(games)}})[0].Summary
	if paired.Pairs != 50 || single.Pairs != 0 || !(*paired.ScoreError < *single.ScoreError/4) {
		t.Errorf("error %v in pairs, %v in games", *paired.ScoreError, *single.ScoreError)
	}
}

// TestUnfinishedPairIsNoUnit: the game of an unfinished pair moves the score
// and leaves the error what the finished pairs make it.
func TestUnfinishedPairIsNoUnit(t *testing.T) {
	finished := Counts{Games: WDL{30, 0, 30}, Pairs: Penta{8, 0, 14, 0, 8}}
	half := Counts{Games: WDL{Wins: 1}}
	roles := [2]string{"x", "y"}
	before := ByRole([]Played{{roles, finished}})[0].Summary
	after := ByRole([]Played{{roles, finished}, {roles, half}})[0].Summary
	if after.Games != 61 || after.Pairs != 30 || math.Abs(*after.Score-31.0/61) > 1e-15 {
		t.Errorf("%d games, %d pairs, score %v", after.Games, after.Pairs, *after.Score)
	}
	same(t, "score_error", after.ScoreError, before.ScoreError, 1e-12)
	same(t, "nelo_error", after.NeloError, before.NeloError, 1e-12)
	wilsonWidth := func(s Summary) *float64 { return finite(*s.BoundHi - *s.BoundLo) }
	same(t, "Wilson's width", wilsonWidth(after), wilsonWidth(before), 1e-3)

	fit := func(rows ...Played) Player {
		table := fitted(t, Options{}, RoleResults(rows)...)
		return table.Players[0]
	}
	paired, more := fit(Played{roles, finished}), fit(Played{roles, finished}, Played{roles, half})
	same(t, "Fit's score_error", more.ScoreError, paired.ScoreError, 1e-12)
	same(t, "Fit's score", more.Score, finite(31.0/61), 1e-12)
	same(t, "Fit's sandwich", more.Sandwich, paired.Sandwich, 1e-2)
	prior := func(c Counts) float64 {
		p := fitted(t, Options{Prior: true}, Result{"a", "b", c}).Players[0]
		return *p.EloHi - *p.EloLo
	}
	if few, many := prior(finished), prior(finished.Add(Counts{Games: WDL{500, 0, 500}})); many < few-1e-9 {
		t.Errorf("with a prior unfinished pairs narrow the Elo error from %v to %v", few, many)
	}
	if *more.Sandwich < *paired.Sandwich {
		t.Errorf("an unfinished pair narrows the Elo error from %v to %v", *paired.Sandwich, *more.Sandwich)
	}
}

// TestGamesWithoutUnits: unfinished pairs alone give a score and no error.
func TestGamesWithoutUnits(t *testing.T) {
	half := Counts{Games: WDL{2, 1, 1}}
	s := half.Summary()
	if *s.Score != 0.625 || s.ScoreError != nil || s.EloLo != nil || s.LOS != nil || s.Nelo != nil {
		t.Errorf("%+v", s)
	}
	if *s.BoundLo != 0 || *s.BoundHi != 1 || len(s.Warnings) != 1 || s.Warnings[0].Kind != NoUnits {
		t.Errorf("bounds %v to %v, warnings %q", *s.BoundLo, *s.BoundHi, s.Warnings)
	}
	table := fitted(t, Options{}, Result{"a", "b", half})
	if p := table.Players[0]; p.Elo == nil || p.EloLo != nil || p.ScoreError != nil || !warned(table.Warnings, "no pair is finished") {
		t.Errorf("%+v, warnings %q", p, table.Warnings)
	}
	// In company, games without units leave no less uncertain than before.
	known := Result{"a", "b", Counts{Games: WDL{20, 0, 20}, Pairs: Penta{5, 0, 10, 0, 5}}}
	alone := fitted(t, Options{}, known)
	more := fitted(t, Options{}, known, Result{"a", "c", half})
	_, before, _ := alone.Difference(0, 1)
	_, after, _ := more.Difference(0, 1)
	if math.Abs(before-after) > 1e-9 {
		t.Errorf("a - b ± %v, with c ± %v", before, after)
	}
}

// TestPairsAndSingleGames: both kinds of units together are what their
// observations say, each pair one and each single game one.
func TestPairsAndSingleGames(t *testing.T) {
	c := Counts{Games: WDL{9, 2, 5}, Pairs: Penta{1, 0, 3, 0, 2}, Singles: WDL{2, 2, 0}}
	units := []struct{ games, points float64 }{
		{2, 0}, {2, 1}, {2, 1}, {2, 1}, {2, 2}, {2, 2}, {1, 1}, {1, 1}, {1, 0.5}, {1, 0.5},
	}
	mean, squares := 10.0/16, 0.0
	for _, u := range units {
		squares += (u.points - mean*u.games) * (u.points - mean*u.games)
	}
	s := c.Summary()
	same(t, "score", s.Score, &mean, 1e-15)
	same(t, "score_error", s.ScoreError, finite(z95*math.Sqrt(squares)/16), 1e-12)
	table := fitted(t, Options{}, Result{"a", "b", c})
	same(t, "Fit's score_error", table.Players[0].ScoreError, s.ScoreError, 1e-12)
}
