package santorini

// guesser orders turns before anything is known: up first, then towards the
// centre, building what can be climbed from here and not by the opponent.
type guesser struct {
	p     *state
	step  move  // the from and to that base is for
	base  int32 // of the step
	level int   // of to

	stops     uint32    // squares of level 3 that the opponent stands beside
	invites   [4]uint32 // squares that it could climb once they are so high
	sameLevel uint32    // squares as high as to
}

func newGuesser(p *state) guesser {
	g := guesser{p: p, step: 1<<10 - 1}
	for w := p.workers[p.mover&1^1]; w != 0; w &= w - 1 {
		s := lowest(w)
		around := near[s&31]
		g.stops |= around
		if h := p.height(s); h > 0 {
			g.invites[2] |= around
			if h > 1 {
				g.invites[3] |= around
			}
		}
	}
	g.stops &= p.up[2]
	g.invites[2] &= p.level(1)
	g.invites[3] &= p.level(2)
	return g
}

func (g *guesser) guess(m move) int32 {
	if m&(1<<10-1) != g.step {
		g.step = m & (1<<10 - 1)
		from, to := m.from(), m.to()
		g.level = g.p.height(to)
		g.base = int32(g.level-g.p.height(from))*1200 + int32(ringOf[to])*30 - int32(ringOf[from])*30
		g.sameLevel = g.p.level(g.level)
	}
	order, built := g.base, uint32(1)<<uint(m.built())
	if g.sameLevel&built != 0 {
		order += int32(g.level+1) * 150
	}
	switch {
	case g.stops&built != 0:
		order += 600
	case g.invites[2]&built != 0:
		order -= 600
	case g.invites[3]&built != 0:
		order -= 900
	}
	return order * 2 // weighed against the history
}
