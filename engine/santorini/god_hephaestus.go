package santorini

func hephaestusPower() power {
	return power{
		name:    "hephaestus",
		text:    "may add a second block on the same square, not a dome",
		workers: 2,
		turns:   hephaestusTurns,
		fast:    &fastTurns{reach: mortalReach, twice: true},
	}
}

func hephaestusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, s int, hint move) {
			if q.height(s) <= 2 {
				t.buildOn(q, t.buildable(q, bit(s)), hint|moveTwice, nil)
			}
		})
	})
}
