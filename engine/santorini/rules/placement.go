package rules

// place lists the ways to place all workers of the mover.
func (g *generator) place() {
	if g.god.place != nil {
		g.god.place(g)
		return
	}
	g.placeMore(*g.p, Board&^g.p.Occupied(), g.god.workers, nil)
}

// placeMore places n more workers on free squares. may, if not nil, says whether
// the result is allowed.
func (g *generator) placeMore(q State, free uint32, n int, may func(q *State) bool) {
	if n == 0 {
		if may == nil || may(&q) {
			g.placed(&q)
		}
		return
	}
	for ; free != 0; free &= free - 1 {
		s := lowest(free)
		next := q
		next.Workers[g.me] |= Bit(s)
		g.do(act(PlaceWorker, s))
		g.placeMore(next, free&(free-1), n-1, may)
		g.undo(1)
	}
}

// placed ends a placement: the other side places next, or player 1 moves first.
func (g *generator) placed(q *State) {
	next := *q
	next.Mover = 0
	if other := g.me ^ 1; next.Workers[other] == 0 {
		next.Mover = other
	}
	g.add(&next, noBuild|NoSquare<<5|NoSquare)
}
