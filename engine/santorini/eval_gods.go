package santorini

// sense is what the player knows about a god beyond its rules: a god says it
// in its own file.
type sense struct {
	drops bool // it may win without a square of level 3
	jumps bool // it may win from further away than one step

	// value is added to what the god's side is worth.
	value func(p *state, me int) int

	// mayWin is a quick look that errs on the side of yes: whether the god might
	// win with its next turn. Without it a worker on level 2 and a free square
	// of level 3 are asked for.
	mayWin func(p *state, me int) bool
}

// mayWin reports whether side might win with its next turn.
func mayWin(p *state, side uint8) bool {
	if look := gods[p.god[side&1]].player.mayWin; look != nil {
		return look(p, int(side&1))
	}
	return p.workers[side&1]&p.up[1] != 0 && p.up[2]&^p.up[3] != 0
}
