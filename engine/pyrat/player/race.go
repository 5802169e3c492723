package player

import (
	"math"

	"thera/engine/pyrat/rules"
)

// never is the turn in which a player reaches cheese that it cannot reach.
const never = math.MaxInt32

// runner is a player on the way to a target.
type runner struct {
	cell    rules.Cell // where the way began
	ready   int32      // the turn after which the player left it or leaves it, later than now in mud
	target  int16      // -1 for none
	arrives int32      // the turn in which it reaches the target
}

// race is a state of the game for a search that goes from one arrival to the next instead
// of turn by turn. That is exact as long as players only choose targets to which no
// shortest way leads over other cheese that is there when they pass.
type race struct {
	runner [2]runner
	score  [2]rules.Points
	turn   int32
	left   int32     // pieces of cheese
	cheese rules.Set // by index
	hash   uint64    // of cheese
}

// set makes r the race that begins with a position.
func (p *Player) set(r *race, pos *rules.Position, cheese rules.Set) {
	s := pos.State()
	r.score, r.turn, r.left, r.hash = s.Score, s.Turn, s.Left, 0
	r.cheese = append(r.cheese[:0], cheese...)
	for k := range p.cheese {
		if cheese.Has(k) {
			r.hash ^= rules.Mix(uint64(k))
		}
	}
	for i := range r.runner {
		r.runner[i] = runner{cell: s.Dest[i], ready: s.Turn + int32(s.Timer[i]), target: -1}
	}
}

// copyFrom makes r equal to s in the memory of r.
func (r *race) copyFrom(s *race) {
	cheese := append(r.cheese[:0], s.cheese...)
	*r = *s
	r.cheese = cheese
}

// send lets player i go for cheese k. Cheese under a player takes a turn too.
func (p *Player) send(r *race, i int, k int16) {
	w := &r.runner[i]
	w.target, w.arrives = k, never
	if d := p.turns(k, w.cell); d < far {
		w.arrives = max(w.ready+d, r.turn+1)
	}
}

// run goes on to the next arrival. Then the player who arrived has no target, and the
// other one has none if its cheese is gone. Both must have a target.
func (p *Player) run(r *race) (over bool) {
	now := min(r.runner[0].arrives, r.runner[1].arrives)
	if now == never || now > p.board.MaxTurns {
		r.turn = p.board.MaxTurns
		return true
	}
	r.turn = now
	points := rules.Points(2)
	if r.runner[0].target == r.runner[1].target && r.runner[0].arrives == r.runner[1].arrives {
		points = 1 // shared
	}
	for i := range r.runner {
		w, other := &r.runner[i], &r.runner[1-i]
		if w.target < 0 || w.arrives != now {
			continue
		}
		k := w.target
		r.score[i] += points
		if r.cheese.Has(int(k)) {
			r.cheese.Remove(int(k))
			r.left--
			r.hash ^= rules.Mix(uint64(k))
		}
		w.cell, w.ready, w.target = p.board.Cheese[k], now, -1
		if other.target == k && other.arrives != now {
			p.interrupt(other, now)
		}
	}
	return 2*r.score[0] > p.board.Total || 2*r.score[1] > p.board.Total || r.left == 0 || now >= p.board.MaxTurns
}

// interrupt stops a player on its way in a turn: it has no target, and leaves the cell
// that it has reached or the mud in which it is.
func (p *Player) interrupt(w *runner, now int32) {
	p.walk(w, now)
	w.target = -1
}

// walk moves a player on its way to where it is in a turn.
func (p *Player) walk(w *runner, now int32) {
	for w.ready < now {
		next, mud := p.board.Next(w.cell, p.to(w.target, w.cell))
		if next < 0 { // out of reach
			w.ready = now
			break
		}
		w.cell, w.ready = next, w.ready+1+int32(mud)
	}
}

// finish plays to the end.
func (p *Player) finish(r *race) {
	for p.greedy(r); !p.run(r); p.greedy(r) {
	}
}

// greedy sends a player without target to the nearest cheese; but one who would reach it
// after the other, who goes for it too, to the next nearest.
func (p *Player) greedy(r *race) {
	var chooses [2]bool
	for i := range r.runner {
		if w := &r.runner[i]; w.target < 0 {
			chooses[i] = true
			p.send(r, i, p.next(r, w.cell, -1))
		}
	}
	a, b := &r.runner[0], &r.runner[1]
	if a.target != b.target || a.arrives == b.arrives {
		return
	}
	late := 0
	if b.arrives > a.arrives {
		late = 1
	}
	w := &r.runner[late]
	if k := p.next(r, w.cell, w.target); chooses[late] && k >= 0 {
		p.send(r, late, k)
	}
}

// next returns the nearest cheese that is left, other than one piece.
func (p *Player) next(r *race, from rules.Cell, but int16) int16 {
	if int(r.left)*int(r.left) < p.cheese {
		return p.nearestOfFew(r.cheese, from, but)
	}
	return p.nearestBut(r.cheese, from, but)
}

// key identifies the state.
func (r *race) key() uint64 {
	h := rules.Mix(r.hash ^ uint64(r.turn)<<32 ^ uint64(r.score[0])<<16 ^ uint64(r.score[1]))
	for i := range r.runner {
		w := &r.runner[i]
		h = rules.Mix(h ^ uint64(uint16(w.cell))<<48 ^ uint64(uint16(w.target))<<32 ^ uint64(uint32(w.ready)))
	}
	return h
}

// taste is what a search wants of a result, and how much it tries what is little known.
type taste struct {
	explore float64
	won     float32 // the part of a result that says who won; by how much is the rest
	scale   float32 // of the lead, as a part of all cheese: one of 1/scale is as good as any
}

// taste is that of the options. A search with little to win by a piece of cheese tells
// choices apart too late.
func (o *Options) taste() taste {
	if o.Plain {
		return taste{explore: 0.3, won: 0.5, scale: 1}
	}
	return taste{explore: 0.15, won: 0.3, scale: 3}
}

// result returns what a finished race is worth to each player. total is all cheese of the
// board.
func (r *race) result(total rules.Points, t taste) [2]float32 {
	lead := float32(r.score[0] - r.score[1])
	margin := max(-1, min(t.scale*lead/float32(total), 1))
	// Conversions keep products unfused: the same on every machine.
	rat := 0.5 + float32(0.5*margin)
	switch {
	case margin > 0:
		rat = float32((1-t.won)*rat) + t.won
	case margin < 0:
		rat = float32((1 - t.won) * rat)
	}
	return [2]float32{rat, 1 - rat}
}
