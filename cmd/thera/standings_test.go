package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/tournament"
)

// A stored Swiss or knockout has the standings that it ended with, also when
// games are there in another order and with pairings named the other way.
func TestStoredStandingsAreThoseOfTheRun(t *testing.T) {
	for _, format := range []arena.Format{{Name: "swiss", Rounds: 3, Pairs: true, PairsPerMatch: 1}, {Name: "knockout", Pairs: true, PairsPerMatch: 2, Extra: 2}} {
		g, err := findGame("santorini")
		if err != nil {
			t.Fatal(err)
		}
		plan := &arena.Plan{Game: g, Format: format, Seed: 1}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			plan.Engines = append(plan.Engines, arena.EngineSpec{Name: name})
		}
		s, err := tournament.New(plan)
		if err != nil {
			t.Fatal(err)
		}
		var done []arena.Finished
		for {
			place, p, state := s.Next()
			if state != tournament.Ready {
				break
			}
			var r tournament.Result
			for _, leg := range p.Legs() {
				winner := (3*p.A + p.B + p.Number + leg) % 3 // a, b, or nobody
				if winner == 2 {
					winner = -1
				}
				f := arena.Finished{
					Pairing: [2]string{plan.Engines[p.A].Name, plan.Engines[p.B].Name}, Pair: p.Number, Leg: leg, Winner: winner, Blamed: -1,
					Sameness: uint64(len(done)), Round: p.Round,
				}
				r.Games = append(r.Games, tournament.Game{Winner: winner, Blamed: -1, Same: f.Sameness})
				if len(done)%3 == 0 {
					f.Pairing[0], f.Pairing[1] = f.Pairing[1], f.Pairing[0]
					f.Leg, f.Winner = 1-leg, turned(winner)
				}
				done = append(done, f)
			}
			s.Finish(place, r)
		}
		want := placings(plan, s)
		if len(want) != 5 || len(done) < 8 {
			t.Fatalf("%s: %d places, %d games", format.Name, len(want), len(done))
		}
		slices.Reverse(done)
		again, err := tournament.New(plan)
		if err != nil {
			t.Fatal(err)
		}
		follow(plan, again, done)
		if diff := cmp.Diff(want, placings(plan, again)); diff != "" {
			t.Errorf("%s: %s", format.Name, diff)
		}
		// With games missing it stops where they are.
		half, err := tournament.New(plan)
		if err != nil {
			t.Fatal(err)
		}
		follow(plan, half, done[len(done)/2:])
		if len(placings(plan, half)) != 5 {
			t.Errorf("%s: half a run has %v", format.Name, placings(plan, half))
		}
	}
}
