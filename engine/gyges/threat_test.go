package gyges

import "testing"

// A threat's path tells the truth: a move that touches neither it nor what
// lies behind the active line leaves the win where it is.
func TestGoalPathMustBeTouched(t *testing.T) {
	w := newWalker()
	threats, kept, stopped := 0, 0, 0
	randomPositions(8, func(p *position) bool {
		other := p.mover.Other()
		path, threat := w.goalPath(p.board, other)
		if threat != w.wins(p.board, other) {
			t.Fatalf("%s: threat is %v", p, threat)
		}
		if !threat {
			return true
		}
		threats++
		touch := path | p.board.behind(other)
		for _, m := range w.generate(p.board, p.mover, nil) {
			if m.end() >= squares {
				continue
			}
			wins := w.wins(p.board.after(m), other)
			if m.touches(touch) {
				if !wins {
					stopped++
				}
				continue
			}
			kept++
			if !wins {
				t.Fatalf("%s: %s stops the threat over %x without touching it", p, m, path)
			}
		}
		return threats < 300
	})
	if kept == 0 || stopped == 0 {
		t.Errorf("%d moves leave a threat, %d stop one", kept, stopped)
	}
	t.Logf("%d threats: %d moves leave them, %d stop them", threats, kept, stopped)
}
