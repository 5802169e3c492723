package santorini

func scyllaPower() power {
	return power{
		name:    "scylla",
		text:    "may drag a neighbour of the opponent into the square she left",
		workers: 2,
		turns:   scyllaTurns,
		player:  sense{common: true},
	}
}

func scyllaTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), func(q *state, at int, hint move) {
			t.build(q, at, hint)
			for drag := near[from&31] & q.workers[t.them]; drag != 0 && q.occupied()&bit(from) == 0; drag &= drag - 1 {
				s := lowest(drag)
				next := *q
				t.force(&next, s, from)
				t.do(Action{Kind: ForceOpponent, At: s, To: from})
				t.build(&next, at, hint)
				t.undo(1)
			}
		})
	})
}
