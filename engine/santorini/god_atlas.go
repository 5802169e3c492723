package santorini

func atlasPower() power {
	return power{
		name:    "atlas",
		text:    "may build a dome at any level",
		workers: 2,
		turns:   atlasTurns,
		player:  sense{common: true},
	}
}

func atlasTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		sites := t.sites(q, at)
		t.buildOn(q, sites, hint, nil)
		t.domeOn(q, t.domeable(q)&sites&^q.up[2], hint)
	})
}
