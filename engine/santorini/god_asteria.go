package santorini

func asteriaPower() power {
	return power{
		name:    "asteria",
		text:    "after stepping down may put a dome on any free square",
		workers: 2,
		turns:   asteriaTurns,
		player:  sense{common: true},
	}
}

func asteriaTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			if q.mover&wentDown != 0 {
				t.domeOn(q, t.domeable(q), hint)
			}
		})
	})
}
