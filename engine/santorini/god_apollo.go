package santorini

func apolloPower() power {
	return power{
		name:    "apollo",
		text:    "may move onto an opponent's worker, which takes the square he left",
		workers: 2,
		turns:   func(t *turns) { apolloTurns(t, 4) },
	}
}

// apolloTurns: the worker swapped with stands at most rise levels higher.
func apolloTurns(t *turns, rise int) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		may := t.p.atMost(t.p.height(from) + rise)
		for ends := t.around(from) & t.levels(t.p, from, 1) & t.p.workers[t.them] & may; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			q := *t.p
			q.workers[t.me] ^= bit(from)
			t.force(&q, to, from)
			t.do(act(MoveWithSwap, to))
			after, at := t.enter(&q, from, to)
			t.arrive(&q, &after, from, from, to, at, t.build)
			t.undo(1)
		}
	})
}
