package rules_test

import (
	"slices"
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
)

// The second player's game is the first's, rotated by 180 degrees.
func TestRotation(t *testing.T) {
	gen, n := rules.NewGenerator(), 0
	gygestest.Positions(3, func(b rules.Board, seat game.Seat) bool {
		rotated := b.Rotate()
		if rotated.Rotate() != b {
			t.Fatalf("%s rotated twice is %s", b, rotated.Rotate())
		}
		moves := gen.Moves(b, seat, nil)
		var back []rules.Move
		for _, m := range gen.Moves(rotated, seat.Other(), nil) {
			back = append(back, m.Rotate())
			if got := rotated.After(m).Rotate(); got != b.After(m.Rotate()) {
				t.Fatalf("%s: %s gives %s", b, m.Rotate(), got)
			}
		}
		slices.Sort(moves)
		slices.Sort(back)
		if !slices.Equal(moves, back) {
			t.Fatalf("%s: moves of the rotated board differ", b)
		}
		wins := slices.ContainsFunc(moves, func(m rules.Move) bool { return m.End() >= rules.Squares })
		if _, found := gen.GoalPath(b, seat); found != wins {
			t.Fatalf("%s %d: a way into the goal is found: %v", b, seat, found)
		}
		n++
		return n < 500
	})
}

// The functions that the search calls do not allocate once their memory has grown.
func TestGeneratorDoesNotAllocate(t *testing.T) {
	b, err := rules.ParseBoard(rules.LayoutTest, 12)
	if err != nil {
		t.Fatal(err)
	}
	gen := rules.NewGenerator()
	moves := gen.Moves(b, game.First, nil)
	if n := testing.AllocsPerRun(50, func() {
		moves = gen.Moves(b, game.First, moves[:0])
		gen.CanMove(b, game.First)
		gen.GoalPath(b, game.Second)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
