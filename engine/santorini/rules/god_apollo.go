package rules

func apolloPower() power {
	return power{
		name:  "apollo",
		text:  "may move onto an opponent's worker, which moves to the square he left",
		turns: func(g *generator) { apolloTurns(g, 4) },
		fast:  &Fast{Reach: apolloReach, Land: func(_ *State, from, _ int) int { return from }},
	}
}

// apolloTurns allows swaps with workers at most rise levels higher.
func apolloTurns(g *generator, rise int) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		may := g.p.atMost(g.p.Height(from) + rise)
		for ends := g.stepSquares(from) & g.enterable(g.p, from, 1) & g.p.Workers[g.them] & may; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			q := *g.p
			q.Workers[g.me] ^= Bit(from)
			g.force(&q, to, from)
			g.do(act(MoveWithSwap, to))
			after, at := g.enter(&q, from, to)
			g.arrive(&q, &after, from, from, to, at, g.build)
			g.undo(1)
		}
	})
}

func apolloReach(p *State, from int) (wins, ends uint32) {
	mine, _ := p.sides(from)
	return stepReach(p, from, ^mine)
}
