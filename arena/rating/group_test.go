package rating

import (
	"math"
	"testing"
)

func played() []Played {
	return []Played{
		{Players: [2]string{"a", "b"}, Roles: [2]string{"pan", "atlas"}, Opening: "o1", Games: WDL{6, 0, 2}},
		{Players: [2]string{"b", "a"}, Roles: [2]string{"pan", "atlas"}, Opening: "o1", Games: WDL{4, 0, 4}},
		{Players: [2]string{"a", "b"}, Roles: [2]string{"atlas", "pan"}, Opening: "o2", Games: WDL{3, 2, 3}},
		{Players: [2]string{"a", "b"}, Roles: [2]string{"pan", "pan"}, Opening: "o2", Games: WDL{5, 0, 1}},
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
		{"seat", BySeat(played()), map[string]WDL{
			"a - first": {14, 2, 6}, "a - second": {4, 0, 4}, "b - first": {4, 0, 4}, "b - second": {6, 2, 14},
		}},
		{"opening", ByOpening(played()), map[string]WDL{"o1": {10, 0, 6}, "o2": {8, 2, 4}}},
		{"player's role", ByPlayerRole(played()), map[string]WDL{
			"a - pan": {11, 0, 3}, "a - atlas": {7, 2, 7}, "b - pan": {8, 2, 12}, "b - atlas": {2, 0, 6},
		}},
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
	same2, err := Fit([]Result{{A: "atlas", B: "pan", Games: WDL{9, 2, 13}}}, Options{})
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
	players, err := Fit(PlayerResults(played()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := players.Find("a"); players.Players[a].Points != 19 {
		t.Errorf("a made %v points", players.Players[a].Points)
	}
}

// TestPairsAreTheUnitOfGroups: pairs that cancel out leave no variance, which
// single games would show.
func TestPairsAreTheUnitOfGroups(t *testing.T) {
	row := Played{
		Players: [2]string{"a", "b"}, Roles: [2]string{"x", "y"},
		Games: WDL{51, 0, 49}, Pairs: Penta{0, 0, 49, 0, 1},
	}
	paired := ByRole([]Played{row})[0].Summary
	row.Pairs = Penta{}
	single := ByRole([]Played{row})[0].Summary
	if paired.Pairs != 50 || single.Pairs != 0 || !(*paired.ScoreError < *single.ScoreError/4) {
		t.Errorf("error %v in pairs, %v in games", *paired.ScoreError, *single.ScoreError)
	}
}
