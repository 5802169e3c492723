package santorini

func theseusPower() power {
	return power{
		name:    "theseus",
		text:    "once, at the end of a turn, the worker that moved removes a neighbour two or more levels higher",
		workers: 2,
		keeps:   "[x]: the power is used",
		turns:   theseusTurns,
		player:  sense{common: true, value: powerLeft},
		removes: true,
		read:    readFlag("x"),
		show:    showFlag("[x]"),
	}
}

func theseusTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			if q.power[t.me] != 0 {
				return
			}
			prey := near[at&31] & q.workers[t.them] &^ q.atMost(q.height(at)+1)
			for ; prey != 0; prey &= prey - 1 {
				next := *q
				t.remove(&next, prey&-prey)
				next.power[t.me] = 1
				t.do(act(RemoveWorker, lowest(prey)))
				t.emit(&next, false, hint)
				t.undo(1)
			}
		})
	})
}
