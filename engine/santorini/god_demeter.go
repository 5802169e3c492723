package santorini

func demeterPower() power {
	return power{
		name:    "demeter",
		text:    "may build a second time, on a different square",
		workers: 2,
		turns:   demeterTurns,
		player:  sense{common: true},
	}
}

func demeterTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		sites := t.sites(q, at)
		t.buildOn(q, sites, hint, func(q *state, s int, hint move) {
			t.buildOn(q, sites&^bit(s), hint, nil)
		})
	})
}
