package rules_test

import (
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
)

// A move that touches neither the path of a threat nor a square behind the active
// row leaves the threat.
func TestGoalPathMustBeTouched(t *testing.T) {
	gen := rules.NewGenerator()
	threats, kept, stopped := 0, 0, 0
	gygestest.Positions(8, func(b rules.Board, seat game.Seat) bool {
		other := seat.Other()
		path, threat := gen.GoalPath(b, other)
		if threat != gygestest.Wins(gen, b, other) {
			t.Fatalf("%s %d: threat is %v", b, seat, threat)
		}
		if !threat {
			return true
		}
		threats++
		touch := path | b.Behind(other)
		for _, m := range gen.Moves(b, seat, nil) {
			if m.End() >= rules.Squares {
				continue
			}
			wins := gygestest.Wins(gen, b.After(m), other)
			if m.Touches(touch) {
				if !wins {
					stopped++
				}
				continue
			}
			kept++
			if !wins {
				t.Fatalf("%s: %s stops the threat over %x without touching it", b, m, path)
			}
		}
		return threats < 300
	})
	if kept == 0 || stopped == 0 {
		t.Errorf("%d moves leave a threat, %d stop one", kept, stopped)
	}
	t.Logf("%d threats: %d moves leave them, %d stop them", threats, kept, stopped)
}
