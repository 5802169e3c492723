package santorini

func biaPower() power {
	return power{
		name:        "bia",
		text:        "places first, on the perimeter; removes the opponent's worker straight ahead of her move",
		workers:     2,
		example:     "0100000100000000010000010/1/bia:A3,E5/mortal:C3,C1",
		turns:       biaTurns,
		player:      sense{common: true},
		removes:     true,
		placesFirst: true,
		starts: func(t *turns) {
			t.placeMore(*t.p, perimeter&^t.p.occupied(), 2, nil)
		},
	}
}

func biaTurns(t *turns) {
	t.each(func(from int) {
		for ends := t.steps(t.p, from); ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			t.go1(t.p, from, from, bit(to), func(q *state, at int, hint move) {
				next := *q
				if ahead := beyond(to, direction(from, to, false), false); ahead != noSquare {
					t.remove(&next, bit(ahead))
				}
				t.build(&next, at, hint)
			})
		}
	})
}
