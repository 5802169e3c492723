package rules

import "context"

// counter counts sequences of turns with one list for each ply.
type counter struct {
	ctx   context.Context
	lists []*MoveList
}

// Count is the number of sequences of exactly depth turns from p, also known as
// perft. A win ends its sequence. A blocked mover has one turn, which ends the
// game. The only error is that of ctx.
func Count(ctx context.Context, p *State, depth int) (uint64, error) {
	c := counter{ctx: ctx}
	for range depth {
		c.lists = append(c.lists, NewMoveList())
	}
	if depth == 0 {
		return 1, ctx.Err()
	}
	c.lists[depth-1].position = *p
	n := c.count(depth)
	return n, ctx.Err()
}

// count counts from the position in the list of depth.
func (c *counter) count(depth int) uint64 {
	l := c.lists[depth-1]
	if l.position.Winner != 0 {
		return 0
	}
	if depth == 1 {
		if fast := FastPath(&l.position); fast != nil {
			return max(uint64(fast.Count(&l.position)), 1)
		}
	}
	l.Generate(&l.position)
	switch {
	case depth == 1:
		return max(uint64(len(l.Moves)), 1)
	case depth >= 4 && c.ctx.Err() != nil:
		return 0
	}
	var n uint64
	below := c.lists[depth-2]
	for _, m := range l.Moves {
		if m.Wins() {
			continue // the game is over
		}
		below.position = l.Child(&l.position, m)
		n += c.count(depth - 1)
	}
	return n
}
