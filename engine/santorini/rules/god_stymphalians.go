package rules

// What the printed rules allow beyond what engines of today list.
var stymphaliansWinSquare = printedRule{name: "stymphalians-win-square-only-winning"}

func stymphaliansPower() power {
	return power{
		name:    "stymphalians",
		text:    "three workers; up to three steps, but may not end next to the start",
		workers: 3,
		turns:   stymphaliansTurns,
		hints:   hints{startsLower: 2},
		printed: []*printedRule{&stymphaliansWinSquare},
	}
}

func stymphaliansTurns(g *generator) {
	noWin := g.noWin
	g.eachWorker(func(from int) {
		g.noWin = noWin | near[from&31] | Bit(from) // no turn ends next to the start
		switch {
		case g.allowed == &stymphaliansWinSquare:
			g.stymphaliansFly(*g.p, from, from, 1, &[4]uint32{})
		case g.slides:
			g.stymphaliansSlide(from)
		case g.mustClimb:
			g.stymphaliansClimb(from)
		default:
			var won [4]uint32
			g.stymphaliansWins(*g.p, from, 1, &won)
			won[2] |= won[1]
			won[3] |= won[2]
			g.stymphaliansFly(*g.p, from, from, 1, &won)
		}
	})
	g.noWin = noWin
}

// stymphaliansWins collects the squares that step n or a later one enters winning.
func (g *generator) stymphaliansWins(q State, from, n int, won *[4]uint32) {
	for ends := g.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(&q, from, to)
		if g.wins(&q, &after, from, to) {
			won[n] |= Bit(to)
		} else if n < 3 {
			g.stymphaliansWins(after, at, n+1, won)
		}
	}
}

// stymphaliansFly takes step n. A square that wins is entered only to win: nobody builds
// from there, or steps on if as few steps as these could have won.
func (g *generator) stymphaliansFly(q State, home, from, n int, won *[4]uint32) {
	near := near[home&31] | Bit(home)
	for ends := g.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(&q, from, to)
		wins := g.wins(&q, &after, from, to)
		g.do(act(MoveWorker, to))
		if near&Bit(at) == 0 && (wins || won[3]&Bit(at) == 0) && !(g.slides && n == 1) {
			g.arrive(&q, &after, home, from, to, at, g.build)
		}
		if n < 3 && !wins && won[n]&Bit(at) == 0 {
			g.stymphaliansFly(after, home, at, n+1, won)
		}
		g.undo(1)
	}
}

// Against harpies, and where persephone forces a climb, existing engines follow sets of
// squares instead of every flight: a square on which one step wins is struck from those
// where later steps win or end, but they may still go on from it.

// leg is how a worker came to a square: by a step from a square of an earlier row of legs.
type leg struct{ row, from, step uint8 }

// stymphaliansSlide follows the squares where one, two and three slides end. One slide
// alone is no turn.
func (g *generator) stymphaliansSlide(home int) {
	reached := [4]uint32{Bit(home)}
	for n := range 3 {
		for set := reached[n]; set != 0; set &= set - 1 {
			reached[n+1] |= g.strike(home, n, lowest(set), n+1, Board)
		}
	}
	g.flightEnds(home, 2, reached[2])
	g.flightEnds(home, 3, reached[3]&^reached[2])
}

// stymphaliansClimb follows the squares where flights end that climb. They do so at once,
// with the second step or with the third.
func (g *generator) stymphaliansClimb(home int) {
	const first, climbed, level, last = 1, 2, 3, 4
	higher := func(s int) uint32 { return g.p.Above[g.p.Height(s)] }
	mids := g.strike(home, 0, home, first, Board)
	var up, flat, ends uint32 // where two steps lead, with a climb and without
	for set := mids; set != 0; set &= set - 1 {
		mid := lowest(set)
		if set&-set&higher(home) != 0 {
			up |= g.strike(home, first, mid, climbed, Board)
			continue
		}
		up |= g.strike(home, first, mid, climbed, higher(mid))
		flat |= g.strike(home, first, mid, level, Board&^higher(mid))
	}
	up &^= mids&higher(home) | Bit(home)
	flat &^= mids | Bit(home)
	for set := up; set != 0; set &= set - 1 {
		ends |= g.strike(home, climbed, lowest(set), last, Board)
	}
	for set := flat; set != 0; set &= set - 1 {
		ends |= g.strike(home, level, lowest(set), last, higher(lowest(set)))
	}
	g.flightEnds(home, climbed, up)
	g.flightEnds(home, last, ends&^up)
}

// strike takes the steps from at, to which row has a leg, onto the squares of set. It
// strikes those that win, and returns where the others end, with their legs in row next.
func (g *generator) strike(home, row, at, next int, set uint32) (ends uint32) {
	q := g.flown(home, at)
	n := g.fly(row, at)
	for set &= g.steps(&q, at); set != 0; set &= set - 1 {
		to, won := lowest(set), true
		g.stepTo(&q, home, at, set&-set, func(_ *State, end int, _ Move) {
			g.legs[next][end] = leg{uint8(row), uint8(at), uint8(to)}
			ends |= Bit(end)
			won = false
		})
		if won {
			g.noWin |= Bit(to)
		}
	}
	g.undo(n)
	return ends
}

// flightEnds builds from those of ends, to which row has legs, where a flight may end.
func (g *generator) flightEnds(home, row int, ends uint32) {
	for ends &^= g.noWin; ends != 0; ends &= ends - 1 {
		at := lowest(ends)
		q := g.flown(home, at)
		q.Mover |= wentUp
		hint := Move(home) | Move(at)<<5
		if q.Height(at) > q.Height(home) {
			hint |= MoveClimbs
		}
		n := g.fly(row, at)
		g.build(&q, at, hint)
		g.undo(n)
	}
}

// flown is the position with the worker from home on at.
func (g *generator) flown(home, at int) State {
	q := *g.p
	q.Workers[g.me] = q.Workers[g.me]&^Bit(home) | Bit(at)
	return q
}

// fly records the steps of the legs to at, and returns their number.
func (g *generator) fly(row, at int) (n int) {
	if row == 0 {
		return 0
	}
	l := g.legs[row][at]
	n = g.fly(int(l.row), int(l.from)) + 1
	g.do(act(MoveWorker, int(l.step)))
	return n
}
