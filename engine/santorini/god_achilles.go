package santorini

func achillesPower() power {
	return power{
		name:    "achilles",
		text:    "once, builds before moving too",
		workers: 2,
		keeps:   "[x]: the power is used",
		turns:   achillesTurns,
		player:  sense{drops: true, value: powerLeft},
		read:    readFlag("x"),
		show:    showFlag("[x]"),
	}
}

func achillesTurns(t *turns) {
	commonTurns(t)
	if t.p.power[t.me] != 0 {
		return
	}
	t.each(func(from int) {
		both := t.sites(t.p, from)
		for sites := both; sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			q := *t.p
			t.raise(&q, s)
			q.power[t.me] = 1
			t.do(act(Build, s))
			t.go1(&q, from, from, t.steps(&q, from), func(q *state, at int, hint move) {
				t.buildBelow(q, at, both, s, hint)
			})
			t.undo(1)
		}
	})
}
