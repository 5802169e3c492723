package rules

func atlasPower() power {
	return power{
		name:    "atlas",
		text:    "may build a dome at any level",
		workers: 2,
		turns:   atlasTurns,
	}
}

func atlasTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		sites := g.sites(q, at)
		g.buildOn(q, sites, hint, nil)
		g.domeOn(q, g.domeable(q)&sites&^q.Above[2], hint)
	})
}
