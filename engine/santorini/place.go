package santorini

// place lists the ways to place all workers of the mover at once.
func (t *turns) place() {
	if t.god.starts != nil {
		t.god.starts(t)
		return
	}
	t.placeMore(*t.p, board&^t.p.occupied(), t.god.workers, nil)
}

// placeMore places n more workers on free squares, where may lets them be.
func (t *turns) placeMore(q state, free uint32, n int, may func(q *state) bool) {
	if n == 0 {
		if may == nil || may(&q) {
			t.placed(&q)
		}
		return
	}
	for ; free != 0; free &= free - 1 {
		s := lowest(free)
		next := q
		next.workers[t.me] |= bit(s)
		t.do(act(PlaceWorker, s))
		t.placeMore(next, free&(free-1), n-1, may)
		t.undo(1)
	}
}

// placed ends a placement: the other side places, or player 1 begins.
func (t *turns) placed(q *state) {
	next := *q
	next.mover = 0
	if other := t.me ^ 1; next.workers[other] == 0 {
		next.mover = other
	}
	t.keep(&next, noBuild|noSquare<<5|noSquare)
}
