package rules

func asteriaPower() power {
	return power{
		name:  "asteria",
		text:  "after stepping down may put a dome on any free square",
		turns: asteriaTurns,
	}
}

func asteriaTurns(g *generator) {
	g.afterBuild(func(q *State, at, _ int, hint Move) {
		if q.Mover&wentDown != 0 || q.Height(at) < g.p.Height(hint.From()) { // a slide down counts
			g.domeOn(q, g.domeable(q), hint)
		}
	})
}
