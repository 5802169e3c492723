package mill

import (
	"context"
	"math/bits"
)

// countAbove is the depth from which a count looks for an interrupt.
const countAbove = 5

// Count counts the sequences of exactly depth actions below p; a removal is
// an action of its own. Draws end no sequence.
func (p *Position) Count(ctx context.Context, depth int) (uint64, error) {
	if depth <= 0 {
		return 1, ctx.Err()
	}
	c := counter{ctx: ctx, rules: p.rules, lists: make([][]move, depth+1)}
	n := c.count(p.state, depth)
	return n, ctx.Err()
}

// counter walks the tree below a state with one move list a depth.
type counter struct {
	ctx   context.Context
	rules *rules
	lists [][]move
}

func (c *counter) count(s state, depth int) uint64 {
	if depth == 1 {
		return s.width(c.rules)
	}
	if depth >= countAbove && c.ctx.Err() != nil {
		return 0
	}
	list := s.moves(c.rules, c.lists[depth][:0])
	c.lists[depth] = list
	var total uint64
	for _, m := range list {
		next := s
		next.play(m)
		total += c.count(next, depth-1)
	}
	return total
}

// width is the number of legal actions, counted on whole sets.
func (s *state) width(r *rules) uint64 {
	empty := s.empty()
	switch {
	case s.act == actRemove:
		return uint64(bits.OnesCount32(s.removable()))
	case s.act == actWon:
		return 0
	case s.placing():
		return uint64(bits.OnesCount32(empty))
	case s.flies(r):
		return 3 * uint64(bits.OnesCount32(empty))
	}
	men := s.mine()
	return uint64(bits.OnesCount32(turned(men)&empty) + bits.OnesCount32(back(men)&empty) +
		bits.OnesCount32(outward(men)&empty) + bits.OnesCount32(inward(men)&empty))
}

// countTurns counts sequences of depth turns, a mill-closing action and its
// removal being one. Some published counts are made so.
func (c *counter) countTurns(s state, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	list := s.moves(c.rules, c.lists[depth][:0])
	c.lists[depth] = list
	var total uint64
	for _, m := range list {
		next := s
		next.play(m)
		if next.act != actRemove {
			total += c.countTurns(next, depth-1)
			continue
		}
		set := next.removable()
		if depth == 1 {
			total += uint64(bits.OnesCount32(set))
			continue
		}
		for ; set != 0; set &= set - 1 {
			after := next
			after.play(take(lowest(set)))
			total += c.countTurns(after, depth-1)
		}
	}
	return total
}
