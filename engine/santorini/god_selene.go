package santorini

func selenePower() power {
	return power{
		name:    "selene",
		text:    "her female worker may build a dome at any level instead of the common build",
		workers: 2,
		keeps:   "[B3]: the female worker",
		sample:  "B3",
		turns:   seleneTurns,
		player:  sense{common: true},
		female:  true,
		starts:  femaleStarts,
		read:    readSquare,
		show:    showSquare,
		check:   femaleCheck,
	}
}

func seleneTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.build(q, at, hint)
		// The fourth level is a common build, of the worker that moved.
		if kept := q.power[t.me]; kept != 0 {
			t.domeOn(q, t.beside(int(kept-1))&t.domeable(q)&^q.up[2], hint)
		}
	})
}
