package santorini

// limits is what a turn may not do, by the gods of both sides.
type limits struct {
	closed    uint32 // squares that count as domes for the mover
	frozen    uint32 // own workers that may not move
	noWin     uint32 // squares where nobody wins by going there
	guards    bool   // beside the opponent's workers only the fourth level may be built
	noUp      bool
	noDown    bool
	mustClimb bool // turns that climb, if there are any, are the only ones
	slides    bool // each step goes on straight, until a rise or an obstacle
	fromTwo   bool // only a step from level 2 wins
	clings    bool // a worker that begins beside an opponent's makes its last step beside one

	wraps   bool   // the board's edges meet, for the mover
	winds   [2]int // the directions nobody may go, noWind for none
	slants  bool   // workers move diagonally only
	upright uint32 // but for the worker here
}

const noWind = 8

// The directions are n, ne, e, se, s, sw, w, nw.
var (
	dirX = [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	dirY = [8]int{-1, -1, 0, 1, 1, 1, 0, -1}
)

// ways are the neighbours for a step: by the direction that is shut, and by
// the kind of board.
var ways = stepTables()

const (
	plainWay = iota
	slantWay
	wrapWay
	wrapSlantWay
	wayKinds
)

func stepTables() (tables [noWind + 1][wayKinds][32]uint32) {
	for wind := range tables {
		for kind := range tables[wind] {
			for s := range squares {
				for d := range 8 {
					if d == wind || kind&slantWay != 0 && d%2 == 0 {
						continue
					}
					if to := beyond(s, d, kind&wrapWay != 0); to != noSquare {
						tables[wind][kind][s] |= bit(to)
					}
				}
			}
		}
	}
	return tables
}

// beyond is the square next to s in direction d, noSquare off the board.
func beyond(s, d int, wraps bool) int {
	x, y := s%side+dirX[d], s/side+dirY[d]
	if wraps {
		x, y = (x+side)%side, (y+side)%side
	}
	if x < 0 || x >= side || y < 0 || y >= side {
		return noSquare
	}
	return y*side + x
}

// around is where a worker on s could step on an empty flat board.
func (t *turns) around(s int) uint32 {
	kind := plainWay
	if t.slants && t.upright&bit(s) == 0 {
		kind |= slantWay
	}
	if t.wraps {
		kind |= wrapWay
	}
	return ways[t.winds[0]][kind][s&31] & ways[t.winds[1]][kind][s&31]
}

// beside is the neighbourhood for building and for powers.
func (t *turns) beside(s int) uint32 {
	if t.wraps {
		return ways[noWind][wrapWay][s&31]
	}
	return near[s&31]
}

// steps is where a worker on from may go in one step.
func (t *turns) steps(q *state, from int) uint32 {
	return t.around(from) & t.levels(q, from, 1) &^ q.occupied()
}

// levels is the set of squares a worker on from may go to by their height,
// when it can climb up levels; what is closed or a dome is not in it.
func (t *turns) levels(q *state, from, up int) uint32 {
	h := q.height(from)
	if t.noUp {
		up = 0
	}
	set := q.atMost(min(h+up, 3)) &^ t.closed
	if t.noDown && h > 0 {
		set &= q.up[h-1]
	}
	return set
}

// step moves a worker, and gives where it ends: harpies may carry it on.
func (t *turns) step(q *state, from, to int) (next state, at int) {
	lifted := *q
	lifted.workers[t.me] &^= bit(from)
	return t.enter(&lifted, from, to)
}

// enter is step for a worker that has been lifted off from already.
func (t *turns) enter(q *state, from, to int) (next state, at int) {
	next = *q
	next.workers[t.me] |= bit(to)
	mark(&next, q, from, to)
	at = to
	if t.slides && !t.wins(q, &next, from, to) {
		at = t.slide(&next, from, to)
	}
	if t.god.female && next.power[t.me] == uint32(from+1) {
		next.power[t.me] = uint32(at + 1)
	}
	return next, at
}

// blocked is where a worker cannot be put by force.
func (t *turns) blocked(q *state) uint32 { return q.occupied() | q.up[3] | t.closed }

// mark remembers whether a step went up or down.
func mark(next, q *state, from, to int) {
	switch a, b := q.height(from), q.height(to); {
	case b > a:
		next.mover |= wentUp
	case b < a:
		next.mover |= wentDown
	}
}

// slide carries the worker on at on, in the direction it came from.
func (t *turns) slide(q *state, from, at int) int {
	d := direction(from, at, t.wraps)
	for d >= 0 {
		next := beyond(at, d, false)
		if next == noSquare || q.height(next) > q.height(at) || (q.occupied()|t.closed|q.up[3])&bit(next) != 0 {
			break
		}
		q.workers[t.me] ^= bit(at) | bit(next)
		at = next
	}
	return at
}

// direction from one square to its neighbour, or over it, -1 where there is
// none.
func direction(from, to int, wraps bool) int {
	for d := range 8 {
		next := beyond(from, d, wraps)
		if next == to || next != noSquare && beyond(next, d, false) == to {
			return d
		}
	}
	return -1
}

// sites is where a worker on at may build one level.
func (t *turns) sites(q *state, at int) uint32 {
	return t.buildable(q, t.beside(at))
}

// buildable is the part of set where one level may be built.
func (t *turns) buildable(q *state, set uint32) uint32 {
	set &^= q.occupied() | q.up[3] | t.closed
	return set &^ t.guarded(q)
}

// domeable is where a power may put a dome.
func (t *turns) domeable(q *state) uint32 {
	return board &^ t.blocked(q) &^ t.guarded(q)
}

// raise builds one level.
func (t *turns) raise(q *state, s int) {
	q.raise(bit(s))
	if t.god.coins {
		t.coin(q, s)
	}
}

// clingsTo reports whether s is beside a worker of the opponent.
func (t *turns) clingsTo(q *state, s int) bool {
	return near[s&31]&q.workers[t.them] != 0
}
