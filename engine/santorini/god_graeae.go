package santorini

func graeaePower() power {
	return power{
		name:    "graeae",
		text:    "three workers; one that did not move builds",
		workers: 3,
		turns:   graeaeTurns,
		player:  sense{common: true},
	}
}

func graeaeTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		var sites uint32
		for w := q.workers[t.me] &^ bit(at); w != 0; w &= w - 1 {
			sites |= t.sites(q, lowest(w))
		}
		t.buildOn(q, sites, hint, nil)
	})
}
