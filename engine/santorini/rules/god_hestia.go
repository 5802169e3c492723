package rules

func hestiaPower() power {
	return power{
		name:  "hestia",
		text:  "may build a second time, but not on the perimeter",
		turns: hestiaTurns,
	}
}

func hestiaTurns(g *generator) {
	g.afterBuild(func(q *State, at, _ int, hint Move) {
		g.buildOn(q, g.sites(q, at)&^perimeter, hint, nil)
	})
}
