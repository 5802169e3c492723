package report

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/rating"
)

// historyOf is a group of versions with every mark.
func historyOf(strong string) *History {
	version := func(name string, elo float64) Version {
		lo, hi := elo-50, elo+50
		return Version{Name: name, Score: arena.Score{Games: 80, WDL: rating.WDL{Wins: 40, Losses: 40}, Elo: &elo, EloLo: &lo, EloHi: &hi}}
	}
	g := Group{
		Game: "nim", Limit: "nodes 5", Said: []arena.Condition{{Key: "openings.random_plies", Value: "4"}}, Runs: []string{"a", "b"}, Games: 120,
		Warnings: []string{"3 games of a version against itself: in no figure"},
		Versions: []Version{version(strong, 200), version("weak", -300), version("middle", 100)},
	}
	g.Versions[0].Opponents, g.Versions[1].Opponents, g.Versions[2].Opponents = 2, 1, 1
	g.Versions[2].Biased = true
	return &History{Groups: []Group{g}, Warnings: []string{"2 runs are left out"}}
}

// The tables have every mark and remark. Names come from files of others.
func TestHistory(t *testing.T) {
	h := historyOf("a\x1b[2J|b")
	h.Groups[0].Versions[0].Subject = "x\x1b[31m|y"
	for _, form := range Formats() {
		var text strings.Builder
		if err := h.Write(&text, form); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "\x1b") || form == Markdown && strings.Contains(text.String(), "m|y") {
			t.Errorf("%s: %q", form, text.String())
		}
		for _, want := range []string{"one opponent", "biased, one opponent"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q is missing in %s", form, want, text.String())
			}
		}
		for _, want := range []string{"nim, nodes 5", "120 games of 2 runs", "biased: games of", "version against itself: in no figure", "2 runs are left out"} {
			if form != CSV && !strings.Contains(text.String(), want) {
				t.Errorf("%s: %q is missing in %s", form, want, text.String())
			}
		}
	}
}
