package rules

// limits is what the gods of both sides forbid in a turn.
type limits struct {
	closed     uint32 // squares that count as domes for the mover
	frozen     uint32 // own workers that may not move
	asleep     bool   // a worker that stands higher than all others of its side may not move
	noWin      uint32 // squares where no step wins
	noLowBuild bool   // next to an opponent only the fourth level may be built
	noUp       bool
	noDown     bool
	mustClimb  bool // if any turn climbs, only turns that climb are legal
	slides     bool // each step continues straight until a rise or an obstacle
	fromTwo    bool // only a step from level 2 wins
	levelWins  bool // a step from level 3 to level 3 wins too
	staysNear  bool // a worker that begins next to an opponent must end its last step next to one

	wraps    bool   // the board's edges meet for the mover
	winds    [2]int // the directions nobody may move in, noWind for none
	diagonal bool   // workers move diagonally only
	exempt   uint32 // except the worker on this square
}

// limited reports whether the opponent's god may limit the next turn of side.
func (p *State) limited(side uint8) bool {
	side &= 1
	foe := &gods[p.Gods[side^1]]
	return foe.limitOpponent != nil && (!foe.limitsByState || p.Mover&1 != side || p.GodState[side^1] != 0)
}

const noWind = 8

// The directions are n, ne, e, se, s, sw, w, nw.
var (
	dirX = [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	dirY = [8]int{-1, -1, 0, 1, 1, 1, 0, -1}
)

// stepTable holds the neighbours that a step may reach, by the forbidden
// direction and the kind of step.
var stepTable = stepTables()

const (
	plainSteps = iota
	diagonalSteps
	wrappedSteps
	wrappedDiagonalSteps
	stepKinds
)

func stepTables() (tables [noWind + 1][stepKinds][32]uint32) {
	for wind := range tables {
		for kind := range tables[wind] {
			for s := range Squares {
				for d := range 8 {
					if d == wind || kind&diagonalSteps != 0 && d%2 == 0 {
						continue
					}
					if to := neighbour(s, d, kind&wrappedSteps != 0); to != NoSquare {
						tables[wind][kind][s] |= Bit(to)
					}
				}
			}
		}
	}
	return tables
}

// neighbour is the square next to s in direction d, NoSquare off the board.
func neighbour(s, d int, wraps bool) int {
	x, y := s%Side+dirX[d], s/Side+dirY[d]
	if wraps {
		x, y = (x+Side)%Side, (y+Side)%Side
	}
	if x < 0 || x >= Side || y < 0 || y >= Side {
		return NoSquare
	}
	return y*Side + x
}

// stepSquares is where a worker on s could step on an empty flat board.
func (g *generator) stepSquares(s int) uint32 {
	kind := plainSteps
	if g.diagonal && g.exempt&Bit(s) == 0 {
		kind |= diagonalSteps
	}
	if g.wraps {
		kind |= wrappedSteps
	}
	return stepTable[g.winds[0]][kind][s&31] & stepTable[g.winds[1]][kind][s&31]
}

// neighbours is the set of squares next to s for building and for powers.
func (g *generator) neighbours(s int) uint32 {
	if g.wraps {
		return stepTable[noWind][wrappedSteps][s&31]
	}
	return near[s&31]
}

// steps is where a worker on from may move in one step.
func (g *generator) steps(q *State, from int) uint32 {
	return g.stepSquares(from) & g.enterable(q, from, 1) &^ q.Occupied()
}

// enterable is the set of squares that are not too high, low or closed for a
// worker on from that can climb up levels.
func (g *generator) enterable(q *State, from, up int) uint32 {
	h := q.Height(from)
	if g.noUp {
		up = 0
	}
	set := q.atMost(min(h+up, 3)) &^ g.closed
	if g.noDown && h > 0 {
		set &= q.Above[h-1]
	}
	return set
}

// step moves a worker and returns where it ends, which harpies may change.
func (g *generator) step(q *State, from, to int) (next State, at int) {
	lifted := *q
	lifted.Workers[g.me] &^= Bit(from)
	return g.enter(&lifted, from, to)
}

// enter is step for a worker that has already been taken off from.
func (g *generator) enter(q *State, from, to int) (next State, at int) {
	next = *q
	next.Workers[g.me] |= Bit(to)
	g.mark(&next, q, from, to)
	at = to
	if g.slides && !g.wins(q, &next, from, to) {
		at = g.slide(&next, from, to)
	}
	if g.god.female && next.GodState[g.me] == uint32(from+1) {
		next.GodState[g.me] = uint32(at + 1)
	}
	return next, at
}

// notFree is the set of squares where no worker can be put by force.
func (g *generator) notFree(q *State) uint32 { return q.Occupied() | q.Above[3] | g.closed }

// movable is the opponent's workers that a power may move, remove or jump over: none
// on a square that counts as a dome.
func (g *generator) movable(q *State) uint32 { return q.Workers[g.them] &^ g.closed }

// mark flags a step that went up or down, or away from aphrodite. The worker is in next,
// but not in q.
func (g *generator) mark(next, q *State, from, to int) {
	switch a, b := q.Height(from), q.Height(to); {
	case b > a:
		next.Mover |= wentUp
	case b < a:
		next.Mover |= wentDown
	}
	if g.staysNear {
		next.Mover &^= leftNeighbour
		home := g.p.Workers[g.me] &^ q.Workers[g.me]
		if home&Bit(from) != 0 { // its first step, after another worker's
			home = Bit(from)
		}
		if g.isNear(g.p, lowest(home)) && !g.isNear(next, to) {
			next.Mover |= leftNeighbour
		}
	}
}

// slide moves the worker on at further in the direction of its step from from.
func (g *generator) slide(q *State, from, at int) int {
	d := direction(from, at, g.wraps)
	for d >= 0 {
		next := neighbour(at, d, false)
		if next == NoSquare || q.Height(next) > q.Height(at) || (q.Occupied()|g.closed|q.Above[3])&Bit(next) != 0 {
			break
		}
		q.Workers[g.me] ^= Bit(at) | Bit(next)
		at = next
	}
	return at
}

// direction is that from one square to a neighbour or to the square after it, -1
// if there is none.
func direction(from, to int, wraps bool) int {
	for d := range 8 {
		next := neighbour(from, d, wraps)
		if next == to || next != NoSquare && neighbour(next, d, false) == to {
			return d
		}
	}
	return -1
}

// sites is the set of squares where a worker on at may build one level.
func (g *generator) sites(q *State, at int) uint32 {
	return g.buildable(q, g.neighbours(at))
}

// buildable is the part of set where one level may be built.
func (g *generator) buildable(q *State, set uint32) uint32 {
	set &^= q.Occupied() | q.Above[3] | g.closed
	return set &^ g.guarded(q)
}

// domeable is the set of squares where a power may put a dome. Limus does not
// guard against it.
func (g *generator) domeable(q *State) uint32 { return Board &^ g.notFree(q) }

// raise builds one level.
func (g *generator) raise(q *State, s int) {
	q.Raise(Bit(s))
	if g.god.coins {
		g.coin(q, s)
	}
}

// isNear reports whether s is next to a worker of the opponent, or its square.
func (g *generator) isNear(q *State, s int) bool {
	return (near[s&31]|Bit(s))&q.Workers[g.them] != 0
}
