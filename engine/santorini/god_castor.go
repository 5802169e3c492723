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
	t.castorMoves(t.p, all, [2]int{noSquare, noSquare}, [2]int{noSquare, noSquare})
	t.castorBuilds(t.p, all)
}

// castorMoves moves one of those left, in any order, and ends when all have.
func (t *turns) castorMoves(q *state, left uint32, homes, arrived [2]int) {
	if left == 0 {
		if t.clings && !(t.hermesClings(q, homes[0], arrived[0]) && t.hermesClings(q, homes[1], arrived[1])) {
			return
		}
		t.emit(q, false, noBuild|move(arrived[0])<<5|noSquare)
		return
	}
	for w := left &^ t.frozen; w != 0; w &= w - 1 {
		from := lowest(w)
		n := 0
		if homes[0] != noSquare {
			n = 1
		}
		t.do(act(SelectWorker, from))
		ends := t.steps(q, from)
		if n > 0 {
			// The second worker could have won without the first one's move.
			ends &^= t.stepWins(t.p, from, t.steps(t.p, from))
		}
		t.go1(q, from, from, ends, func(q *state, at int, _ move) {
			homes, arrived := homes, arrived
			homes[n], arrived[n] = from, at
			t.castorMoves(q, left&^bit(from), homes, arrived)
		})
		t.undo(1)
	}
}

// castorBuilds builds with one of those left, in any order.
func (t *turns) castorBuilds(q *state, left uint32) {
	if t.winsOnly {
		return
	}
	for w := left; w != 0; w &= w - 1 {
		from := lowest(w)
		for sites := t.sites(q, from); sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			next := *q
			t.raise(&next, s)
			t.do(act(SelectWorker, from))
			t.do(act(Build, s))
			if rest := left &^ bit(from); rest != 0 {
				t.castorBuilds(&next, rest)
			} else {
				t.emit(&next, false, noSquare|noSquare<<5|move(s)<<10)
			}
			t.undo(2)
		}
	}
}
