package santorini

func hydraPower() power {
	return power{
		name:    "hydra",
		text:    "after a turn adds a worker beside the one that moved, or removes one if two stand together",
		workers: 2,
		least:   1,
		most:    hydraMost,
		turns:   hydraTurns,
		player:  sense{common: true},
	}
}

const hydraMost = 11

func hydraTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		if t.winsOnly {
			return
		}
		for sites := t.sites(q, at); sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			next := *q
			t.raise(&next, s)
			t.do(act(Build, s))
			t.hydraEnds(&next, at, hint|move(s)<<10)
			t.undo(1)
		}
	})
}

func (t *turns) hydraEnds(q *state, at int, hint move) {
	mine := q.workers[t.me]
	for w := mine; w != 0; w &= w - 1 {
		if near[lowest(w)&31]&mine != 0 {
			t.hydraLoses(q, hint)
			return
		}
	}
	room := t.beside(at) &^ t.blocked(q)
	if room == 0 || size(mine) >= hydraMost {
		t.emit(q, false, hint)
		return
	}
	for h := range 4 {
		if low := room & q.level(h); low != 0 {
			for ; low != 0; low &= low - 1 {
				next := *q
				next.workers[t.me] |= low & -low
				t.do(act(PlaceWorker, lowest(low)))
				t.emit(&next, false, hint)
				t.undo(1)
			}
			return
		}
	}
}

func (t *turns) hydraLoses(q *state, hint move) {
	for w := q.workers[t.me]; w != 0; w &= w - 1 {
		next := *q
		next.workers[t.me] &^= w & -w
		t.do(act(RemoveWorker, lowest(w)))
		t.emit(&next, false, hint)
		t.undo(1)
	}
}
