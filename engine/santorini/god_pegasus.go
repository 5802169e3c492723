package santorini

func pegasusPower() power {
	return power{
		name:    "pegasus",
		text:    "may climb any height, but wins only from level 2",
		workers: 2,
		turns:   pegasusTurns,
		player:  sense{common: true},
		rules:   func(t *turns, _ uint8) { t.fromTwo = true },
	}
}

func pegasusTurns(t *turns) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.around(from)&t.levels(t.p, from, 3)&^t.p.occupied(), t.build)
	})
}
