package santorini

func aresPower() power {
	return power{
		name:    "ares",
		text:    "may remove a block beside the unmoved worker at the end",
		workers: 2,
		turns:   aresTurns,
		player:  sense{common: true},
	}
}

func aresTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			var set uint32
			for rest := q.workers[t.me] &^ bit(at); rest != 0; rest &= rest - 1 {
				set |= near[lowest(rest)&31]
			}
			for set &= q.up[0] &^ t.blocked(q); set != 0; set &= set - 1 {
				next := *q
				next.lower(set & -set)
				t.do(act(RemoveBlock, lowest(set)))
				t.emit(&next, false, hint)
				t.undo(1)
			}
		})
	})
}
