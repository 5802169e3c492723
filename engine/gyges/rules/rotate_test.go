package rules_test

import (
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/rules"
)

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
