package rules

func charonv2Power() power {
	return power{
		name:    "charonv2",
		text:    "instead of moving may move a neighbour of the opponent to the opposite side of the worker, then builds",
		workers: 2,
		turns:   charonv2Turns,
	}
}

func charonv2Turns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		g.flips(from, func(q *State) {
			g.build(q, from, Move(from)|Move(from)<<5)
		})
	})
}
