package santorini

func zeusPower() power {
	return power{
		name:    "zeus",
		text:    "may build a block under the worker that moved, not a dome",
		workers: 2,
		turns:   zeusTurns,
		player:  sense{common: true},
	}
}

func zeusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		under := bit(at) &^ q.up[2] &^ t.guarded(q)
		t.buildOn(q, t.sites(q, at)|under, hint, nil)
	})
}
