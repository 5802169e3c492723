//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/faultkit"
	"thera/engine/gametest"
	gods "thera/engine/santorini"
)

// TestLongCheckOfAllPairs checks our own engine in positions of all match-ups of gods: it
// has no finding. The short form looks at 60 of them, with -short at 15.
func TestLongCheckOfAllPairs(t *testing.T) {
	positions := 60
	switch {
	case gametest.Long(t):
		positions = allPairs
	case testing.Short():
		positions = 15
	}
	g, problems := gods.New().With(nil, &gods.Openings{Gods: gods.GodOpenings{List: []string{"all"}, Matchups: "all", Start: "auto"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if g.Starts() != allPairs {
		t.Fatalf("%d match-ups, want %d", g.Starts(), allPairs)
	}
	argv, env := faultkit.Command("none")
	r, err := check.Run(t.Context(), check.Options{
		Game: g, Dialect: g.Dialects()[0], Positions: positions, Seed: 1, Tolerant: true, Exit: time.Minute,
		Spec:  arena.EngineSpec{Name: "none", Command: argv, Env: env},
		Limit: arena.Limit{Nodes: 100, Start: time.Minute, Sync: time.Minute, Grace: time.Minute, MaxMove: time.Minute},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Status != check.OK && !strings.HasPrefix(f.Detail, "it answered after") {
			t.Errorf("%2d %-7s %s: %s", f.Number, f.Status, f.Name, f.Detail)
		}
		if f.Name == "move lists equal to ours" && f.Detail != fmt.Sprintf("%d positions of %d starts", positions, positions) {
			t.Errorf("%s: %s", f.Name, f.Detail)
		}
	}
}

// allPairs is the number of match-ups of two gods, in both orders, that may meet.
const allPairs = 2780
