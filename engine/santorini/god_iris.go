package santorini

func irisPower() power {
	return power{
		name:    "iris",
		text:    "may jump over a worker beside her, onto any level",
		workers: 2,
		turns:   irisTurns,
		player:  sense{low: 2},
	}
}

func irisTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), t.build)
		open := t.levels(t.p, from, 3) &^ t.p.occupied()
		for over := t.around(from) & t.p.occupied(); over != 0; over &= over - 1 {
			s := lowest(over)
			to := beyond(s, direction(from, s, false), false)
			if to != noSquare {
				t.go1(t.p, from, from, bit(to)&open, t.build)
			}
		}
	})
}
