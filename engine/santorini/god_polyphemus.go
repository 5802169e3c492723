package santorini

func polyphemusPower() power {
	return power{
		name:    "polyphemus",
		text:    "once, at the end of a turn, puts up to two domes on any free squares",
		workers: 2,
		keeps:   "[x]: the power is used",
		turns:   polyphemusTurns,
		wide:    true,
		player:  sense{common: true, value: powerLeft},
		read:    readFlag("x"),
		show:    showFlag("[x]"),
	}
}

func polyphemusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			if q.power[t.me] != 0 || t.plain {
				return
			}
			next := *q
			next.power[t.me] = 1
			free := t.domeable(q)
			t.domeOn(&next, free, hint)
			for ; free != 0 && !t.over; free &= free - 1 {
				s := lowest(free)
				one := next
				one.dome(bit(s))
				t.do(act(Dome, s))
				t.domeOn(&one, free&(free-1), hint)
				t.undo(1)
			}
		})
	})
}
