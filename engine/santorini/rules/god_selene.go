package rules

func selenePower() power {
	return power{
		name:   "selene",
		text:   "her female worker may build a dome at any level instead of the usual build",
		state:  squareState("B3", "the female worker"),
		turns:  seleneTurns,
		female: true,
		place:  placeFemale,
		check:  checkFemale,
	}
}

func seleneTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.build(q, at, hint)
		// The fourth level is the usual build of the worker that moved.
		if value := q.GodState[g.me]; value != 0 {
			g.domeOn(q, g.neighbours(int(value-1))&g.domeable(q)&^q.Above[2], hint)
		}
	})
}
