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
	t.stepAndBuild(rises, func(q *state, s int, hint move) {
		if q.height(s) > 2 {
			return
		}
		next := *q
		next.raise(bit(s))
		t.do(act(Build, s))
		t.emit(&next, false, hint|moveTwice)
		t.undo(1)
	})
}
