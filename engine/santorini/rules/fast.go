package rules

import "math/bits"

// Fast generates the turns of a god whose turn is one worker's move and one build
// next to it. Such turns fit in a Move and are counted without generating them.
type Fast struct {
	// Reach is the squares where the worker on from ends by winning and those
	// where it ends and builds. No square is in both.
	Reach func(p *State, from int) (wins, ends uint32)
	// Twice allows a second block on the same square, never a dome.
	Twice bool
	// Far allows ends two steps away.
	Far bool
}

// generate lists all turns, the wins of both workers first.
func (t *Fast) generate(p *State, l *MoveList) {
	moves := l.Moves
	var reached [2]uint32
	n := 0
	for w := p.Workers[p.Mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		var wins uint32
		wins, reached[n] = t.Reach(p, from)
		n++
		for ; wins != 0; wins &= wins - 1 {
			moves = append(moves, moveWins|noBuild|Move(lowest(wins))<<5|Move(from))
		}
	}
	closed := p.Occupied() | p.Above[3]
	low := ^p.Above[1]
	n = 0
	for w := p.Workers[p.Mover&1]; w != 0 && n < 2; w &= w - 1 {
		from := lowest(w)
		free := Board &^ (closed ^ w&-w)
		h := p.Height(from)
		var higher uint32
		if h < 4 {
			higher = p.Above[h]
		}
		for ends := reached[n]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			m := Move(to)<<5 | Move(from)
			if higher&(ends&-ends) != 0 {
				m |= MoveClimbs
			}
			builds := near[to&31] & free
			for b := builds; b != 0; b &= b - 1 {
				moves = append(moves, m|Move(lowest(b))<<10)
			}
			if t.Twice {
				for b := builds & low; b != 0; b &= b - 1 {
					moves = append(moves, m|moveTwice|Move(lowest(b))<<10)
				}
			}
		}
		n++
	}
	l.Moves = moves
}

// winning lists the winning turns.
func (t *Fast) winning(p *State, l *MoveList) {
	for w := p.Workers[p.Mover&1]; w != 0; w &= w - 1 {
		from := lowest(w)
		wins, _ := t.Reach(p, from)
		for ; wins != 0; wins &= wins - 1 {
			l.Moves = append(l.Moves, moveWins|noBuild|Move(lowest(wins))<<5|Move(from))
		}
	}
}

// Count is the number of turns. It counts by direction, for all squares of both
// workers at once: the second worker's sets are in the upper half of a word.
func (t *Fast) Count(p *State) int {
	const (
		notA = 0b11110_11110_11110_11110_11110
		notE = 0b01111_01111_01111_01111_01111
		both = 1<<32 | 1
	)
	w := p.Workers[p.Mover&1]
	from := lowest(w)
	wins, ends := t.Reach(p, from)
	n := size(wins) + size(ends&near[from&31]) // builds on the square that it left
	pair := uint64(ends)
	if w &= w - 1; w != 0 {
		from = lowest(w)
		wins, ends = t.Reach(p, from)
		n += size(wins) + size(ends&near[from&31])
		pair |= uint64(ends) << 32
	}
	free := Board &^ (p.Occupied() | p.Above[3])
	n += countPairs(pair, uint64(free)*both, uint64(free&notA)*both, uint64(free&notE)*both)
	if t.Twice {
		low := free &^ p.Above[1]
		n += countPairs(pair, uint64(low)*both, uint64(low&notA)*both, uint64(low&notE)*both)
		// The square that the worker left may be low too.
		for w := p.Workers[p.Mover&1] &^ p.Above[1]; w != 0; w &= w - 1 {
			from := lowest(w)
			_, ends := t.Reach(p, from)
			n += size(ends & near[from&31])
		}
	}
	return n
}

// countPairs counts the pairs of a square in ends and a neighbour of it in all.
// west and east are all without the columns that a shift would wrap to.
func countPairs(ends, all, west, east uint64) int {
	return bits.OnesCount64(ends&(all<<5)) + bits.OnesCount64(ends&(all>>5)) +
		bits.OnesCount64(ends&(west>>1)) + bits.OnesCount64(ends&(west<<4)) + bits.OnesCount64(ends&(west>>6)) +
		bits.OnesCount64(ends&(east<<1)) + bits.OnesCount64(ends&(east<<6)) + bits.OnesCount64(ends&(east>>4))
}

// Leads reports whether q is the state after a turn of p. It derives the turn from
// what changed instead of listing all turns.
func (t *Fast) Leads(p, q *State) bool {
	me := p.Mover & 1
	left, entered := p.Workers[me]&^q.Workers[me], q.Workers[me]&^p.Workers[me]
	if p.Winner != 0 || size(left) != 1 || size(entered) != 1 {
		return false
	}
	from, to := lowest(left), lowest(entered)
	m := Move(from) | Move(to)<<5
	wins, ends := t.Reach(p, from)
	if wins&entered != 0 {
		return playFast(p, m|moveWins|noBuild) == *q
	}
	var grown uint32
	for k := range p.Above {
		grown |= p.Above[k] ^ q.Above[k]
	}
	if ends&entered == 0 || size(grown) != 1 || near[to&31]&^(p.Occupied()&^left|p.Above[3])&grown == 0 {
		return false
	}
	m |= Move(lowest(grown)) << 10
	return playFast(p, m) == *q || t.Twice && grown&p.Above[1] == 0 && playFast(p, m|moveTwice) == *q
}

// playFast is the state after a turn that has no child.
func playFast(p *State, m Move) (next State) {
	next.playFast(p, m)
	return next
}

// playFast sets q to the state after a turn of p that has no child.
func (q *State) playFast(p *State, m Move) {
	*q = *p
	me := p.Mover & 1
	q.Workers[me] ^= 1<<(m&31) | 1<<(m>>5&31)
	q.Mover = me ^ 1
	if m&moveWins != 0 {
		q.Winner = me + 1
		return
	}
	built := uint32(1) << (m >> 10 & 31)
	q.Raise(built)
	if m&moveTwice != 0 {
		q.Raise(built)
	}
}
