package santorini

import "thera/engine/search"

// hunt judges turns outside the fast path while they are generated: their
// states are there, there can be ten thousand, and most nodes need only one.
// It breaks off at the first that reaches aim.
type hunt struct {
	w       *walker
	f       *frame // of the ply
	side    uint8  // the mover
	aim     int
	guarded bool    // winsOf tells the opponent's wins
	worth   []int32 // of each kid
	best    int     // the kid that reached aim, -1 if none did
	left    int     // kids until hurry is asked
}

// lost is the worth of a turn that lets the opponent win at once.
const lost = -1 << 20

// huntStep is how many turns are judged between two looks at the clock.
const huntStep = 128

// begin readies the hunt for the walker's position.
func (h *hunt) begin(w *walker, p *state, aim int) {
	h.w, h.f, h.side, h.aim = w, w.frames[w.at], p.mover&1, aim
	h.guarded = w.on&knowBlocks != 0 && told(p, h.side^1)
	h.worth, h.best, h.left = h.worth[:0], -1, huntStep
}

// see judges a new kid.
func (h *hunt) see(kid int) (over bool) {
	q, worth := &h.f.kids[kid], lost
	switch {
	case q.winner != 0:
		worth = search.Heuristic
	case !h.guarded || winsOf(q, h.side^1) == 0:
		worth = h.w.stand(q, h.side) - h.w.stand(q, h.side^1)
	}
	h.worth = append(h.worth, int32(worth))
	if worth-plainWeights.tempo >= h.aim {
		h.best = kid
		return true
	}
	if h.left--; h.left == 0 {
		h.left = huntStep
		return h.w.hurry != nil && h.w.hurry(huntStep)
	}
	return false
}
