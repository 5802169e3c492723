package rules

func bellerophonPower() power {
	return power{
		name:  "bellerophon",
		text:  "once, may climb two levels",
		state: usedOnce(),
		turns: bellerophonTurns,
		hints: hints{startsLower: 1, value: unusedPower},
	}
}

func bellerophonTurns(g *generator) {
	commonTurns(g)
	if g.p.GodState[g.me] != 0 || g.nothingClimbs() {
		return
	}
	g.eachWorker(func(from int) {
		q := *g.p
		q.GodState[g.me] = 1
		high := g.enterable(&q, from, 2) &^ g.enterable(&q, from, 1)
		g.stepTo(&q, from, from, g.stepSquares(from)&high&^q.Occupied(), g.build)
	})
}
