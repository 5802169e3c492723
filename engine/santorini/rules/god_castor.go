package rules

func castorPower() power {
	return power{
		name:    "castor",
		text:    "may move with all workers and not build, or build with all and not move",
		workers: 2,
		turns:   castorTurns,
		hints:   hints{irregular: true},
	}
}

func castorTurns(g *generator) {
	commonTurns(g)
	all := g.p.Workers[g.me]
	g.castorMoves(*g.p, all, NoSquare, NoSquare)
	g.castorBuilds(*g.p, all)
}

// castorMoves moves the workers on left in any order. The last worker to move went
// from from to at.
func (g *generator) castorMoves(q State, left uint32, from, at int) {
	switch {
	case q.Mover&leftNeighbour != 0:
		return
	case left == 0:
		g.emit(&q, false, noBuild|Move(at)<<5|Move(from))
		return
	}
	for w := left &^ g.frozen; w != 0; w &= w - 1 {
		from := lowest(w)
		ends := g.steps(&q, from)
		if left != g.p.Workers[g.me] {
			// The second worker could have won before the first one moved.
			ends &^= g.stepWins(g.p, from, g.steps(g.p, from))
		}
		g.do(act(SelectWorker, from))
		g.stepTo(&q, from, from, ends, func(q *State, at int, _ Move) {
			g.castorMoves(*q, left&^Bit(from), from, at)
		})
		g.undo(1)
	}
}

// castorBuilds builds with the workers on left in any order.
func (g *generator) castorBuilds(q State, left uint32) {
	if g.winsOnly {
		return
	}
	for w := left; w != 0; w &= w - 1 {
		from := lowest(w)
		for sites := g.sites(&q, from); sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			next := q
			g.raise(&next, s)
			g.do(act(SelectWorker, from))
			g.do(act(Build, s))
			if rest := left &^ Bit(from); rest != 0 {
				g.castorBuilds(next, rest)
			} else {
				g.emit(&next, false, NoSquare|NoSquare<<5|Move(s)<<10)
			}
			g.undo(2)
		}
	}
}
