package santorini

func bellerophonPower() power {
	return power{
		name:    "bellerophon",
		text:    "once, climbs two levels",
		workers: 2,
		keeps:   "[x]: the power is used",
		turns:   bellerophonTurns,
		player:  sense{low: 1, value: powerLeft},
		read:    readFlag("x"),
		show:    showFlag("[x]"),
	}
}

func bellerophonTurns(t *turns) {
	commonTurns(t)
	if t.p.power[t.me] != 0 {
		return
	}
	t.each(func(from int) {
		q := *t.p
		q.power[t.me] = 1
		high := t.levels(&q, from, 2) &^ t.levels(&q, from, 1)
		t.go1(&q, from, from, t.around(from)&high&^q.occupied(), t.build)
	})
}
