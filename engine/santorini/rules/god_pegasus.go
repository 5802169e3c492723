package rules

func pegasusPower() power {
	return power{
		name:      "pegasus",
		text:      "may climb any height, but wins only from level 2",
		turns:     pegasusTurns,
		limitSelf: func(g *generator, _ uint8) { g.fromTwo = true },
	}
}

func pegasusTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.stepSquares(from)&g.enterable(g.p, from, 3)&^g.p.Occupied(), g.build)
	})
}
