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
	if depth == 0 {
		return 1, ctx.Err()
	}
	c.frames[depth-1].at = *p
	n := c.count(depth)
	return n, ctx.Err()
}

// count counts below the position in the frame of depth.
func (c *counter) count(depth int) uint64 {
	f := c.frames[depth-1]
	if f.at.winner != 0 {
		return 0
	}
	if depth == 1 {
		if fast := fastFor(&f.at); fast != nil {
			return max(uint64(fast.count(&f.at)), 1)
		}
	}
	f.generate(&f.at)
	switch {
	case depth == 1:
		return max(uint64(len(f.moves)), 1)
	case depth >= 4 && c.ctx.Err() != nil:
		return 0
	}
	var n uint64
	below := c.frames[depth-2]
	for _, m := range f.moves {
		if m.wins() {
			continue // over: nothing below
		}
		below.at = f.child(&f.at, m)
		n += c.count(depth - 1)
	}
	return n
}
