package tournament

import (
	"context"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/all"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// TestHole19NoRandomStartIsDecided checks that the side to move cannot win at once after
// random plies, in any game. After two plies of Gyges it often could.
func TestHole19NoRandomStartIsDecided(t *testing.T) {
	for _, g := range all.Games() {
		plies := 2
		if g.Name() == "mill" || g.Name() == "santorini" {
			plies = 24
		}
		again := 0
		for seed := range uint64(40) {
			o, err := Make(context.Background(), &arena.Plan{Game: g, Openings: arena.Openings{RandomPlies: plies}}, arena.Job{Seed: seed})
			if err != nil {
				t.Fatalf("%s: %v", g.Name(), err)
			}
			for _, turn := range game.TurnsFrom(o) {
				next, err := o.Play(turn)
				gametest.OK(t, err)
				if end, over := next.Outcome(); over && o.ToMove() == game.SeatsOf(end.Winner) {
					again++
					t.Logf("%s, seed %d: seat %d wins at once from %s", g.Name(), seed, end.Winner, o)
					break
				}
			}
		}
		if again > 0 {
			t.Errorf("%s: %d of 40 starts are won at once", g.Name(), again)
		}
	}
}

// lopsided is nim in which small heaps are never even.
type lopsided struct{ *nim.Game }

func (lopsided) Expect(_ context.Context, pos game.Position, _ int64) (float64, error) {
	if len(pos.String()) < len("900 1") {
		return 0.9, nil
	}
	return 0.5, nil
}

// TestHole19AnotherStartIsDrawn checks that a start without balanced openings does not end a
// run that has others. In cells it must: there the start of a pair is fixed.
func TestHole19AnotherStartIsDrawn(t *testing.T) {
	plan := &arena.Plan{Game: nim.New(50, 950), Player: lopsided{nim.New()}, Openings: arena.Openings{RandomPlies: 2, Balanced: 0.1}}
	for seed := range uint64(20) {
		job := arena.Job{Seed: seed, Start: 0}
		o, err := Make(t.Context(), plan, job)
		gametest.OK(t, err)
		if again, err := Make(t.Context(), plan, job); err != nil || again.String() != o.String() {
			t.Errorf("seed %d: %s, then %s, %v", seed, o.String(), again.String(), err)
		}
	}
	plan.Format.Name = "cells"
	if _, err := Make(t.Context(), plan, arena.Job{}); err == nil || !strings.Contains(err.Error(), "no balanced opening") {
		t.Errorf("cells: %v", err)
	}
}
