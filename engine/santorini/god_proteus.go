package santorini

func proteusPower() power {
	return power{
		name:    "proteus",
		text:    "three workers; after a move another of them drops into the square left",
		workers: 3,
		turns:   proteusTurns,
		player:  sense{common: true},
	}
}

func proteusTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), func(q *state, at int, hint move) {
			others := q.workers[t.me] &^ bit(at)
			if others == 0 {
				t.build(q, at, hint)
				return
			}
			for ; others != 0; others &= others - 1 {
				s := lowest(others)
				next := *q
				next.workers[t.me] ^= bit(s) | bit(from)
				t.do(Action{Kind: ForceOwn, At: s, To: from})
				t.build(&next, at, hint)
				t.undo(1)
			}
		})
	})
}
