package rules

func hestiaPower() power {
	return power{
		name:    "hestia",
		text:    "may build a second time, but not on the perimeter",
		workers: 2,
		turns:   hestiaTurns,
	}
}

func hestiaTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.buildOn(q, g.sites(q, at), hint, func(q *State, _ int, hint Move) {
			g.buildOn(q, g.sites(q, at)&^perimeter, hint, nil)
		})
	})
}
