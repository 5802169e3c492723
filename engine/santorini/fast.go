package santorini

import "math/bits"

// generate lists all turns: the wins of both workers first.
func (t *fastTurns) generate(p *state, f *frame) {
	moves := f.moves
	var reached [2]uint32
	n := 0
	for w := p.workers[p.mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		var wins uint32
		wins, reached[n] = t.reach(p, from)
		n++
		for ; wins != 0; wins &= wins - 1 {
			moves = append(moves, moveWins|noBuild|move(lowest(wins))<<5|move(from))
		}
	}
	closed := p.occupied() | p.up[3]
	low := ^p.up[1]
	n = 0
	for w := p.workers[p.mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		free := board &^ (closed ^ w&-w)
		h := p.height(from)
		var higher uint32
		if h < 4 {
			higher = p.up[h]
		}
		for ends := reached[n]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			m := move(to)<<5 | move(from)
			if higher&(ends&-ends) != 0 {
				m |= moveClimbs
			}
			builds := near[to&31] & free
			for b := builds; b != 0; b &= b - 1 {
				moves = append(moves, m|move(lowest(b))<<10)
			}
			if t.twice {
				for b := builds & low; b != 0; b &= b - 1 {
					moves = append(moves, m|moveTwice|move(lowest(b))<<10)
				}
			}
		}
		n++
	}
	f.moves = moves
}

func (t *fastTurns) winning(p *state, f *frame) {
	for w := p.workers[p.mover&1]; w != 0; w &= w - 1 {
		from := lowest(w)
		wins, _ := t.reach(p, from)
		for ; wins != 0; wins &= wins - 1 {
			f.moves = append(f.moves, moveWins|noBuild|move(lowest(wins))<<5|move(from))
		}
	}
}

// count is how many turns generate would list. It goes by direction, for all
// squares of both workers at once: the second worker's sets are in the upper
// half of a word.
func (t *fastTurns) count(p *state) int {
	const (
		notA = 0b11110_11110_11110_11110_11110
		notE = 0b01111_01111_01111_01111_01111
		both = 1<<32 | 1
	)
	w := p.workers[p.mover&1]
	from := lowest(w)
	wins, ends := t.reach(p, from)
	n := size(wins) + size(ends&near[from&31]) // the square left can be built on
	pair := uint64(ends)
	if w &= w - 1; w != 0 {
		from = lowest(w)
		wins, ends = t.reach(p, from)
		n += size(wins) + size(ends&near[from&31])
		pair |= uint64(ends) << 32
	}
	free := board &^ (p.occupied() | p.up[3])
	n += beside(pair, uint64(free)*both, uint64(free&notA)*both, uint64(free&notE)*both)
	if t.twice {
		low := free &^ p.up[1]
		n += beside(pair, uint64(low)*both, uint64(low&notA)*both, uint64(low&notE)*both)
		// The square left may be low too, each worker's own.
		for w := p.workers[p.mover&1] &^ p.up[1]; w != 0; w &= w - 1 {
			from := lowest(w)
			_, ends := t.reach(p, from)
			n += size(ends & near[from&31])
		}
	}
	return n
}

// beside counts the pairs of a square of ends and a neighbour in all; west and
// east are all without the columns that a step to the east, or west, wraps to.
func beside(ends, all, west, east uint64) int {
	return bits.OnesCount64(ends&(all<<5)) + bits.OnesCount64(ends&(all>>5)) +
		bits.OnesCount64(ends&(west>>1)) + bits.OnesCount64(ends&(west<<4)) + bits.OnesCount64(ends&(west>>6)) +
		bits.OnesCount64(ends&(east<<1)) + bits.OnesCount64(ends&(east<<6)) + bits.OnesCount64(ends&(east>>4))
}

// leads reports whether q is a state after one of the turns that generate
// would list: the turn follows from what changed.
func (t *fastTurns) leads(p, q *state) bool {
	me := p.mover & 1
	gone, come := p.workers[me]&^q.workers[me], q.workers[me]&^p.workers[me]
	if p.winner != 0 || size(gone) != 1 || size(come) != 1 {
		return false
	}
	from, to := lowest(gone), lowest(come)
	m := move(from) | move(to)<<5
	wins, ends := t.reach(p, from)
	if wins&come != 0 {
		return playFast(p, m|moveWins|noBuild) == *q
	}
	var grown uint32
	for k := range p.up {
		grown |= p.up[k] ^ q.up[k]
	}
	if ends&come == 0 || size(grown) != 1 || near[to&31]&^(p.occupied()&^gone|p.up[3])&grown == 0 {
		return false
	}
	m |= move(lowest(grown)) << 10
	return playFast(p, m) == *q || t.twice && grown&p.up[1] == 0 && playFast(p, m|moveTwice) == *q
}

// playFast is the state after a turn that fits in its word.
func playFast(p *state, m move) state {
	next := *p
	me := p.mover & 1
	next.workers[me] ^= 1<<(m&31) | 1<<(m>>5&31)
	next.mover = me ^ 1
	if m&moveWins != 0 {
		next.winner = me + 1
		return next
	}
	built := uint32(1) << (m >> 10 & 31)
	next.raise(built)
	if m&moveTwice != 0 {
		next.raise(built)
	}
	return next
}
