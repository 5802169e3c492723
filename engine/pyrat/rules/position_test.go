package rules

import (
	"testing"

	"thera/engine/game"
)

func TestCount(t *testing.T) {
	p := mustParse(t, "maze height:2 width:2; walls; mud; cheese (0,1); player1 rat (0,0); player2 python (1,1)")
	// The first turns that bring a player to (0,1) end the game:
	// rat U (5), python L (5), both once.
	for depth, want := range []uint64{1, 25, 16 * 25} {
		got, err := p.Count(t.Context(), depth)
		if err != nil || got != want {
			t.Errorf("depth %d: %d, %v; want %d", depth, got, err, want)
		}
	}
	var walk func(p game.Position) uint64
	var depth int
	walk = func(p game.Position) uint64 {
		if depth == 0 {
			return 1
		}
		n := uint64(0)
		for _, turn := range game.TurnsFrom(p) {
			next, err := p.Play(turn)
			if err != nil {
				t.Fatal(err)
			}
			depth--
			n += walk(next)
			depth++
		}
		return n
	}
	q := mustParse(t, small)
	depth = 3
	want := walk(q)
	if got, err := q.Count(t.Context(), 3); err != nil || got != want {
		t.Errorf("counted %d by rules, %d by Play", got, want)
	}
}
