package rules

func proteusPower() power {
	return power{
		name:    "proteus",
		text:    "three workers; after a move another of them moves to the square left",
		workers: 3,
		turns:   proteusTurns,
	}
}

func proteusTurns(g *generator) {
	g.eachWorker(func(from int) {
		others := g.p.Workers[g.me] &^ Bit(from)
		for ends := g.steps(g.p, from); ends != 0; ends &= ends - 1 {
			step := ends & -ends
			if others == 0 || g.stepWins(g.p, from, step) != 0 {
				g.stepTo(g.p, from, from, step, g.build)
				continue
			}
			for rest := others; rest != 0; rest &= rest - 1 {
				// The other worker is off the board while a slide goes on.
				s := lowest(rest)
				q := *g.p
				q.Workers[g.me] ^= Bit(s)
				g.stepTo(&q, from, from, step, func(q *State, at int, hint Move) {
					next := *q
					next.Workers[g.me] |= Bit(from)
					g.do(Action{Kind: ForceOwn, At: s, To: from})
					g.build(&next, at, hint)
					g.undo(1)
				})
			}
		}
	})
}
