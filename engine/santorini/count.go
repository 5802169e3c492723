package santorini

import "context"

// counter counts sequences of turns, with one frame for each ply.
type counter struct {
	ctx    context.Context
	frames []*frame
}

// count is the number of sequences of exactly depth turns from p. A won
// position ends its sequence; a blocked mover has one turn, the pseudo-turn,
// which ends the game. It fails only when ctx does.
func count(ctx context.Context, p *state, depth int) (uint64, error) {
	c := counter{ctx: ctx}
	for range depth {
		c.frames = append(c.frames, newFrame())
	}
	n := c.count(p, depth)
	return n, ctx.Err()
}

func (c *counter) count(p *state, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if p.winner != 0 {
		return 0
	}
	if depth == 1 {
		if fast := fastFor(p); fast != nil {
			return max(uint64(fast.count(p)), 1)
		}
	}
	f := c.frames[depth-1]
	f.generate(p)
	if len(f.moves) == 0 {
		if depth == 1 {
			return 1
		}
		return 0
	}
	if depth == 1 {
		return uint64(len(f.moves))
	}
	if depth >= 4 && c.ctx.Err() != nil {
		return 0
	}
	var n uint64
	for _, m := range f.moves {
		if m.wins() {
			continue // over: nothing below
		}
		next := f.child(p, m)
		n += c.count(&next, depth-1)
	}
	return n
}
