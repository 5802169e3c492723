package rules

func charonPower() power {
	return power{
		name:    "charon",
		text:    "before moving may move a neighbour of the opponent to the opposite side of the worker",
		workers: 2,
		turns:   charonTurns,
		hints:   hints{irregular: true},
	}
}

func charonTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		g.flips(from, func(q *State) {
			g.stepTo(q, from, from, g.steps(q, from), g.build)
		})
	})
}

// flips calls fn for each opponent next to at that can move to the opposite side.
func (g *generator) flips(at int, fn func(q *State)) {
	for d := range 8 {
		a, b := neighbour(at, d, false), neighbour(at, (d+4)%8, false)
		if a == NoSquare || b == NoSquare || g.p.Workers[g.them]&Bit(a) == 0 || g.notFree(g.p)&Bit(b) != 0 {
			continue
		}
		q := *g.p
		g.force(&q, a, b)
		g.do(Action{Kind: ForceOpponent, At: a, To: b})
		fn(g.hold(&q))
		g.depth--
		g.undo(1)
	}
}
