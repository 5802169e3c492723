package santorini

func limusPower() power {
	return power{
		name:    "limus",
		text:    "the opponent may not build beside Limus, except a dome on level 3",
		workers: 2,
		turns:   commonTurns,
		limit: func(t *turns, side uint8) {
			for w := t.p.workers[side]; w != 0; w &= w - 1 {
				t.domesOnly |= near[lowest(w)&31]
			}
		},
	}
}
