//go:build unix

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/engine/game"
)

// The older mill engine claims a draw where its last quiet ply closes a mill. In a match
// the claim ends the game as a draw, and is nobody's fault.
func TestDrawClaimInAMatch(t *testing.T) {
	g := gameOf(t, "mill")
	p := &arena.Plan{Game: g, Limit: arena.Limit{Depth: 3, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}}
	argv, env := faultkit.Command("recorded-mill-cpp")
	for _, name := range []string{"a", "b"} {
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: argv, Env: env})
	}
	w := match.NewWorker(p, 0, match.Options{})
	defer w.Close()
	for quiet, want := range map[string]string{"99": "draw", "98": ""} { // at 98 the count is not full, and the removal wins
		pos, err := g.Parse("*OO*O***/*****@@*/***@**** w m s 3 0 3 0 0 0 0 0 0 0 0 " + quiet + " 30")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := w.Play(context.Background(), arena.Job{ID: quiet, Pairing: [2]string{"a", "b"}}, arena.Opening{Position: pos})
		if err != nil {
			t.Fatal(err)
		}
		last := rec.Moves[len(rec.Moves)-1]
		if rec.Source != arena.Natural || len(rec.Moves) != 2 || len(rec.Warnings) > 0 {
			t.Errorf("%s quiet plies: %s %+v %q %v", quiet, rec.Source, rec.Outcome, rec.Moves, rec.Warnings)
		}
		switch {
		case want == "draw" && (last != want || rec.Outcome != game.Outcome{Reason: "quiet plies"}):
			t.Errorf("%s quiet plies: %q, %+v", quiet, rec.Moves, rec.Outcome)
		case want == "" && (!strings.HasPrefix(last, "x") || rec.Outcome.Winner != game.First):
			t.Errorf("%s quiet plies: %q, %+v", quiet, rec.Moves, rec.Outcome)
		}
	}
}
