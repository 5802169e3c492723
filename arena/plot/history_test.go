package plot

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/history"
	"thera/arena/rating"
)

// Versions are drawn from top to bottom in their order, and Elo far from 0 gets an
// axis of its own.
func TestHistory(t *testing.T) {
	row := func(name string, elo, half float64, biased bool) history.Version {
		lo, hi := elo-half, elo+half
		return history.Version{Name: name, Biased: biased, Score: arena.Score{Games: 7, WDL: rating.WDL{Wins: 7}, Elo: &elo, EloLo: &lo, EloHi: &hi}}
	}
	g := &history.Group{Game: "nim", Limit: "nodes 5", Versions: []history.Version{
		row("old<b>", 2000, 20, false), row("middle", 2050, 30, true), row("new", 1990, 10, false), {Name: "unrated"},
	}}
	text, err := History(g)
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{"nim, nodes 5", ">2060<", "old&lt;b&gt;", "middle: 7 games", colourOf(1), ">new<"} {
		next := strings.Index(text, want)
		if next < at {
			t.Errorf("%q is missing, or too early, in %s", want, text)
		}
		at = next
	}
	for _, bad := range []string{"unrated", "<b>", ">0<", "NaN"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in %s", bad, text)
		}
	}
	if _, err := History(&history.Group{}); err == nil {
		t.Error("a plot of nothing")
	}
}
