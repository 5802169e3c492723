package santorini

func poseidonPower() power {
	return power{
		name:    "poseidon",
		text:    "an unmoved worker on the ground may build up to three times at the end",
		workers: 2,
		turns:   poseidonTurns,
		player:  sense{common: true},
		wide:    true,
	}
}

func poseidonTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		if t.plain {
			t.build(q, at, hint)
			return
		}
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			for rest := q.workers[t.me] &^ bit(at) &^ q.up[0]; rest != 0; rest &= rest - 1 {
				t.buildMore(*q, t.beside(lowest(rest)), 3, hint)
			}
		})
	})
}

// buildMore builds up to n more levels on the squares of set, those of lower
// number first: the order does not show in the result.
func (t *turns) buildMore(q state, set uint32, n int, hint move) {
	for sites := t.buildable(&q, set); sites != 0 && n > 0 && !t.over; sites &= sites - 1 {
		s := lowest(sites)
		next := q
		t.raise(&next, s)
		t.do(act(Build, s))
		t.emit(&next, false, hint)
		t.buildMore(next, set&^(bit(s)-1), n-1, hint)
		t.undo(1)
	}
}
