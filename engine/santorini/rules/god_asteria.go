package rules

func asteriaPower() power {
	return power{
		name:    "asteria",
		text:    "after stepping down may put a dome on any free square",
		workers: 2,
		turns:   asteriaTurns,
	}
}

func asteriaTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.buildOn(q, g.sites(q, at), hint, func(q *State, _ int, hint Move) {
			if q.Mover&wentDown != 0 || q.Height(at) < g.p.Height(hint.From()) { // a slide down counts
				g.domeOn(q, g.domeable(q), hint)
			}
		})
	})
}
