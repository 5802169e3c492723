package santorini

func prometheusPower() power {
	return power{
		name:    "prometheus",
		text:    "may build before moving too, and then may not climb",
		workers: 2,
		turns:   prometheusTurns,
		player:  sense{common: true},
	}
}

func prometheusTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		both := t.sites(t.p, from)
		for sites := both; sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			q := *t.p
			t.raise(&q, s)
			t.do(act(Build, s))
			flat := t.around(from) & t.levels(&q, from, 0) &^ q.occupied()
			t.go1(&q, from, from, flat, func(q *state, at int, hint move) {
				t.buildBelow(q, at, both, s, hint)
			})
			t.undo(1)
		}
	})
}

// buildBelow is the build after one on s before the move. Of two squares that
// both could have been built on first, engines of today take the one with the
// higher index first and never the other way round; so do we, though it loses
// the turns in which the worker steps onto the lower one.
func (t *turns) buildBelow(q *state, at int, both uint32, s int, hint move) {
	t.buildOn(q, t.sites(q, at)&^(both&^(bit(s)<<1-1)), hint, nil)
}
