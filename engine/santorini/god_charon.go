package santorini

func charonPower() power {
	return power{
		name:    "charon",
		text:    "before moving may flip a neighbour of the opponent to the worker's other side",
		workers: 2,
		turns:   charonTurns,
	}
}

func charonTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		t.flips(from, func(q *state) {
			t.go1(q, from, from, t.steps(q, from), t.build)
		})
	})
}

// flips calls fn for each opponent beside at that has room on the other side.
func (t *turns) flips(at int, fn func(q *state)) {
	for d := range 8 {
		a, b := beyond(at, d, false), beyond(at, (d+4)%8, false)
		if a == noSquare || b == noSquare || t.p.workers[t.them]&bit(a) == 0 || t.blocked(t.p)&bit(b) != 0 {
			continue
		}
		q := *t.p
		t.force(&q, a, b)
		t.do(Action{Kind: ForceOpponent, At: a, To: b})
		fn(t.hold(&q))
		t.depth--
		t.undo(1)
	}
}
