package santorini

func castorPower() power {
	return power{
		name:    "castor",
		text:    "may move with all workers and not build, or build with all and not move",
		workers: 2,
		turns:   castorTurns,
	}
}

func castorTurns(t *turns) {
	commonTurns(t)
	all := t.p.workers[t.me]
	t.castorMoves(*t.p, all, noSquare, noSquare)
	t.castorBuilds(*t.p, all)
}

// castorMoves moves one of those left, in any order, and ends when all have.
// The last to move went from from to at.
func (t *turns) castorMoves(q state, left uint32, from, at int) {
	switch {
	case q.mover&leftHer != 0:
		return
	case left == 0:
		t.emit(&q, false, noBuild|move(at)<<5|move(from))
		return
	}
	for w := left &^ t.frozen; w != 0; w &= w - 1 {
		from := lowest(w)
		ends := t.steps(&q, from)
		if left != t.p.workers[t.me] {
			// The second worker could have won without the first one's move.
			ends &^= t.stepWins(t.p, from, t.steps(t.p, from))
		}
		t.do(act(SelectWorker, from))
		t.go1(&q, from, from, ends, func(q *state, at int, _ move) {
			t.castorMoves(*q, left&^bit(from), from, at)
		})
		t.undo(1)
	}
}

// castorBuilds builds with one of those left, in any order.
func (t *turns) castorBuilds(q state, left uint32) {
	if t.winsOnly {
		return
	}
	for w := left; w != 0; w &= w - 1 {
		from := lowest(w)
		for sites := t.sites(&q, from); sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			next := q
			t.raise(&next, s)
			t.do(act(SelectWorker, from))
			t.do(act(Build, s))
			if rest := left &^ bit(from); rest != 0 {
				t.castorBuilds(next, rest)
			} else {
				t.emit(&next, false, noSquare|noSquare<<5|move(s)<<10)
			}
			t.undo(2)
		}
	}
}
