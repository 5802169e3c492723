package santorini

func charonv2Power() power {
	return power{
		name:    "charonv2",
		text:    "instead of moving may flip a neighbour of the opponent to the worker's other side, then builds",
		workers: 2,
		turns:   charonv2Turns,
		player:  sense{common: true},
	}
}

func charonv2Turns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		t.flips(from, func(q *state) {
			t.build(q, from, move(from)|move(from)<<5)
		})
	})
}
