package gyges

import (
	"slices"
	"testing"
)

// The second player's game is the first's, turned by 180 degrees.
func TestRotation(t *testing.T) {
	w, n := newWalker(), 0
	randomPositions(3, func(p *position) bool {
		turned := p.board.rotate()
		if turned.rotate() != p.board {
			t.Fatalf("%s turned twice is %s", p.board, turned.rotate())
		}
		moves := w.generate(p.board, p.mover, nil)
		var back []Move
		for _, m := range w.generate(turned, p.mover.Other(), nil) {
			back = append(back, m.rotate())
			if got := turned.after(m).rotate(); got != p.board.after(m.rotate()) {
				t.Fatalf("%s: %s gives %s", p, m.rotate(), got)
			}
		}
		slices.Sort(moves)
		slices.Sort(back)
		if !slices.Equal(moves, back) {
			t.Fatalf("%s: moves of the turned board differ", p)
		}
		wins := slices.ContainsFunc(moves, func(m Move) bool { return m.end() >= squares })
		if w.wins(p.board, p.mover) != wins {
			t.Fatalf("%s: wins is %v", p, !wins)
		}
		n++
		return n < 500
	})
}

// What the search calls at every node allocates nothing once it is warm.
func TestWalkerDoesNotAllocate(t *testing.T) {
	w, p := newWalker(), parse(t, "test")
	moves := w.generate(p.board, p.mover, nil)
	if n := testing.AllocsPerRun(50, func() {
		moves = w.generate(p.board, p.mover, moves[:0])
		w.count(p.board, p.mover)
		w.wins(p.board, p.mover)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
