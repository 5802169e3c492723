package rules

// What the printed rules allow beyond what engines of today list.
var (
	harpiesCastor = printedRule{name: "harpies-castor", opponent: "harpies"}
	hypnusCastor  = printedRule{name: "hypnus-castor", opponent: "hypnus"}
)

func castorPower() power {
	return power{
		name:    "castor",
		text:    "may move with all workers and not build, or build with all and not move",
		turns:   castorTurns,
		hints:   hints{irregular: true},
		printed: []*printedRule{&harpiesCastor, &hypnusCastor},
	}
}

func castorTurns(g *generator) {
	commonTurns(g)
	all := g.p.Workers[g.me]
	if !g.asleep || g.allowed == &hypnusCastor || all&^g.p.Level(2) == 0 {
		g.castorMoves(*g.p, all, NoSquare, NoSquare, 0)
	}
	g.castorBuilds(*g.p, all)
}

// castorMoves moves the workers on left in any order. The last worker to move went
// from from to at and slid over the squares of passed.
func (g *generator) castorMoves(q State, left uint32, from, at int, passed uint32) {
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
			if passed != 0 && g.allowed != &harpiesCastor {
				ends &^= g.castorTurnsBack(&q, from, ends, passed)
			}
		}
		g.do(act(SelectWorker, from))
		for ; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			g.stepTo(&q, from, from, Bit(to), func(q *State, at int, _ Move) {
				var passed uint32
				for s, d := to, direction(from, to, false); s != at; s = neighbour(s, d, false) {
					passed |= Bit(s)
				}
				g.castorMoves(*q, left&^Bit(from), from, at, passed)
			})
		}
		g.undo(1)
	}
}

// castorTurnsBack is the part of ends that leads the second worker onto a square that
// the first slid over, although the second could have gone there first.
func (g *generator) castorTurnsBack(q *State, from int, ends, passed uint32) (set uint32) {
	for ends &= g.steps(g.p, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		_, at := g.step(q, from, to)
		if _, alone := g.step(g.p, from, to); at == alone && passed&Bit(at) != 0 {
			set |= Bit(to)
		}
	}
	return set
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
