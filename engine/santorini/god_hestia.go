package santorini

func hestiaPower() power {
	return power{
		name:    "hestia",
		text:    "may build a second time, not on the perimeter",
		workers: 2,
		turns:   hestiaTurns,
		player:  sense{common: true},
	}
}

func hestiaTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			t.buildOn(q, t.sites(q, at)&^perimeter, hint, nil)
		})
	})
}
