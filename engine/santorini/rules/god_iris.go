package rules

func irisPower() power {
	return power{
		name:  "iris",
		text:  "may jump over a neighbouring worker, onto any level",
		turns: irisTurns,
		hints: hints{startsLower: 2},
	}
}

func irisTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		open := g.enterable(g.p, from, 3) &^ g.p.Occupied()
		for over := g.stepSquares(from) & g.p.Occupied() &^ g.closed; over != 0; over &= over - 1 {
			s := lowest(over)
			to := neighbour(s, direction(from, s, false), false)
			if to != NoSquare {
				g.stepTo(g.p, from, from, Bit(to)&open, g.build)
			}
		}
	})
}
