package rules

import "context"

// interruptDepth is the least depth at which a count checks its context.
const interruptDepth = 5

// Count returns the number of sequences of exactly depth moves from p (perft).
// A removal is a move, and draws end no sequence.
func (p *Position) Count(ctx context.Context, depth int) (uint64, error) {
	if depth <= 0 {
		return 1, ctx.Err()
	}
	c := counter{ctx: ctx, rules: &p.rules, lists: make([][]Move, depth+1)}
	n := c.count(p.state, depth)
	return n, ctx.Err()
}

// counter counts the tree below a state with one list of moves per depth.
type counter struct {
	ctx   context.Context
	rules *Rules
	lists [][]Move
}

func (c *counter) count(s State, depth int) uint64 {
	if depth == 1 {
		return s.width(c.rules)
	}
	if depth >= interruptDepth && c.ctx.Err() != nil {
		return 0
	}
	list := s.Moves(c.rules, c.lists[depth][:0])
	c.lists[depth] = list
	var total uint64
	for _, m := range list {
		next := s
		next.Play(m)
		total += c.count(next, depth-1)
	}
	return total
}

// width returns the number of legal moves without listing them.
func (s *State) width(r *Rules) uint64 {
	empty := s.Empty()
	switch {
	case s.Action == RemoveMan:
		return uint64(s.Removable().Len())
	case s.Action == Won:
		return 0
	case s.Placing():
		return uint64(empty.Len())
	case s.Flies(r):
		return 3 * uint64(empty.Len())
	}
	men := s.Mine()
	return uint64((men.Clockwise() & empty).Len() + (men.Anticlockwise() & empty).Len() +
		(men.Outward() & empty).Len() + (men.Inward() & empty).Len())
}
