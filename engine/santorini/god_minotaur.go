package santorini

func minotaurPower() power {
	return power{
		name:    "minotaur",
		text:    "may move onto an opponent's worker and push it straight on, to any level",
		workers: 2,
		turns:   minotaurTurns,
	}
}

func minotaurTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		for ends := t.around(from) & t.levels(t.p, from, 1) & t.p.workers[t.them]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			back := beyond(to, direction(from, to, false), false)
			if back == noSquare || t.blocked(t.p)&bit(back) != 0 {
				continue
			}
			q := *t.p
			t.force(&q, to, back)
			q.workers[t.me] ^= bit(from)
			t.do(Action{Kind: MoveWithPush, At: to, To: back})
			after, at := t.enter(&q, from, to)
			t.arrive(&q, &after, from, from, to, at, t.build)
			t.undo(1)
		}
	})
}
