package rules

import "math/bits"

// Fast generates the turns of a god whose turn is one worker's move and one build
// or two next to it, or glides of both workers. Such turns fit in a Move.
type Fast struct {
	// Reach is the squares where the worker on from ends by winning and those
	// where it ends and builds. No square is in both.
	Reach func(p *State, from int) (wins, ends uint32)
	// Land returns where the opponent's worker on to goes when the worker on from takes its
	// square. It is nil if ends has only free squares.
	Land func(p *State, from, to int) int

	Twice   bool // allows a second block on the same square, never a dome
	Second  bool // allows a second block on another square
	Domes   bool // allows a dome at any level
	Under   bool // allows a block under the worker that moved, never a dome
	Before  bool // allows a block before the move, which then must not climb
	Climbed bool // the state of the god is whether its last turn climbed
	Glides  bool // allows glides of both workers instead of the step
}

// sides returns the workers of the side whose worker is on s, and those of the other side.
func (p *State) sides(s int) (mine, theirs uint32) {
	if p.Workers[0]&Bit(s) != 0 {
		return p.Workers[0], p.Workers[1]
	}
	return p.Workers[1], p.Workers[0]
}

// plain reports whether all that a turn changes are the squares where it begins, ends and builds,
// by one or two levels.
func (t *Fast) plain() bool {
	return t.Land == nil && !t.Second && !t.Domes && !t.Under && !t.Before && !t.Climbed && !t.Glides
}

// sites returns where the worker that goes from from to to may build next to it.
func (t *Fast) sites(p *State, from, to int) uint32 {
	set := near[to&31] &^ (p.Occupied()&^Bit(from) | p.Above[3])
	if t.Land != nil && p.Workers[p.Mover&1^1]&Bit(to) != 0 {
		set &^= Bit(t.Land(p, from, to))
	}
	return set
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
	low, special := ^p.Above[1], !t.plain()
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
			if t.Land != nil {
				builds = t.sites(p, from, to)
			}
			for b := builds; b != 0; b &= b - 1 {
				moves = append(moves, m|Move(lowest(b))<<10)
			}
			if t.Twice {
				for b := builds & low; b != 0; b &= b - 1 {
					moves = append(moves, m|moveTwice|Move(lowest(b))<<10)
				}
			}
			if special {
				moves = t.appendBuilds(moves, p, m, builds)
			}
		}
		n++
	}
	if t.Before {
		moves = appendBefore(moves, p)
	}
	if t.Glides {
		moves = appendGlides(moves, p)
	}
	l.Moves = moves
}

// appendBuilds appends the turns with the step of m that end with a block under the worker, with
// a dome on one of sites, or with blocks on two of them, as the god allows.
func (t *Fast) appendBuilds(moves []Move, p *State, m Move, sites uint32) []Move {
	if t.Under && p.Above[2]&Bit(m.To()) == 0 {
		moves = append(moves, m|Move(m.To())<<10)
	}
	if t.Domes {
		for b := sites &^ p.Above[2]; b != 0; b &= b - 1 {
			moves = append(moves, m|moveDome|Move(lowest(b))<<10)
		}
	}
	if t.Second {
		for b := sites; b != 0; b &= b - 1 {
			for c := b & (b - 1); c != 0; c &= c - 1 {
				moves = append(moves, m|moveSecond|Move(lowest(c))<<secondShift|Move(lowest(b))<<10)
			}
		}
	}
	return moves
}

// appendBefore appends the turns that build first.
func appendBefore(moves []Move, p *State) []Move {
	for w := p.Workers[p.Mover&1]; w != 0; w &= w - 1 {
		from := lowest(w)
		for firsts := p.firsts(from); firsts != 0; firsts &= firsts - 1 {
			first := firsts & -firsts
			m := moveSecond | Move(lowest(first))<<secondShift | Move(from)
			ends, open := p.afterFirst(from, first)
			for ; ends != 0; ends &= ends - 1 {
				to := lowest(ends)
				for b := near[to&31] & open; b != 0; b &= b - 1 {
					moves = append(moves, m|Move(to)<<5|Move(lowest(b))<<10)
				}
			}
		}
	}
	return moves
}

// firsts returns where the worker on from may build before it moves.
func (p *State) firsts(from int) uint32 { return near[from&31] &^ (p.Occupied() | p.Above[3]) }

// afterFirst returns where the worker on from may step without climbing after a block on first,
// and then build, if that is next to it. Of two squares on which either block could be the
// first, the higher one is.
func (p *State) afterFirst(from int, first uint32) (ends, open uint32) {
	q := *p
	q.Raise(first)
	ends = near[from&31] & q.atMost(min(q.Height(from), 3)) &^ q.Occupied()
	return ends, Board &^ (q.Occupied()&^Bit(from) | q.Above[3] | p.firsts(from)&^(first<<1-1))
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

// Legal reports whether a turn of another position, which did not win, is one of p.
func (t *Fast) Legal(p *State, m Move) bool {
	from, to, built, second := m.From(), m.To(), Bit(m.Built()), Bit(m.Second())
	if m.HasChild() || m.Wins() || p.Workers[p.Mover&1]&Bit(from) == 0 || m.Climbs() != (p.Height(to) > p.Height(from)) {
		return false
	}
	if m&moveGlide != 0 {
		return t.Glides && p.mayGlide(m)
	}
	if t.Before && m&moveSecond != 0 {
		ends, open := p.afterFirst(from, second)
		return p.firsts(from)&second != 0 && ends&Bit(to) != 0 && near[to&31]&open&built != 0
	}
	if _, ends := t.Reach(p, from); ends&Bit(to) == 0 {
		return false
	}
	sites := t.sites(p, from, to)
	if t.Under {
		sites |= Bit(to) &^ p.Above[2]
	}
	switch {
	case sites&built == 0 || m.Twice() && (!t.Twice || p.Above[1]&built != 0) || m&moveDome != 0 && (!t.Domes || p.Above[2]&built != 0):
		return false
	case m&moveSecond != 0:
		return t.Second && sites&second != 0 && built < second
	}
	return true
}

// Count is the number of turns. It counts by direction, for all squares of both
// workers at once: the second worker's sets are in the upper half of a word.
func (t *Fast) Count(p *State) int {
	const both = 1<<32 | 1
	if !t.plain() {
		return t.countEach(p)
	}
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

// countEach is Count, an end of a worker at a time.
func (t *Fast) countEach(p *State) (n int) {
	if t.Before {
		n = len(appendBefore(nil, p))
	}
	if t.Glides {
		n = len(appendGlides(nil, p))
	}
	for w := p.Workers[p.Mover&1]; w != 0; w &= w - 1 {
		from := lowest(w)
		wins, ends := t.Reach(p, from)
		n += size(wins)
		for ; ends != 0; ends &= ends - 1 {
			sites := t.sites(p, from, lowest(ends))
			builds := size(sites)
			n += builds
			if t.Twice {
				n += size(sites &^ p.Above[1])
			}
			if t.Second {
				n += builds * (builds - 1) / 2
			}
			if t.Domes {
				n += size(sites &^ p.Above[2])
			}
			if t.Under {
				n += size(ends & -ends &^ p.Above[2])
			}
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
	if p.Workers[me^1]>>(m>>5&31)&1 != 0 {
		q.displace(p, m)
	}
	q.Workers[me] ^= 1<<(m&31) | 1<<(m>>5&31)
	q.Mover = me ^ 1
	if m&moveWins != 0 {
		q.Winner = me + 1
		return
	}
	built := uint32(1) << (m >> 10 & 31)
	if gods[p.Gods[me]].fast.Climbed {
		q.GodState[me] = flag(m.Climbs())
	}
	if m&(moveTwice|moveDome|moveSecond|moveGlide) == 0 {
		q.Raise(built)
		return
	}
	switch {
	case m&moveGlide != 0:
		q.Workers[me] = (Bit(m.To()) | Bit(m.Mate())) & Board
		q.Raise(built)
	case m&moveDome != 0:
		q.Dome(built)
	case m&moveSecond != 0:
		q.Raise(built)
		q.Raise(Bit(m.Second()))
	default:
		q.Raise(built)
		q.Raise(built)
	}
}

// displace moves the opponent's worker whose square m takes.
func (q *State) displace(p *State, m Move) {
	god, foe := &gods[p.Gods[p.Mover&1]], p.Mover&1^1
	if m.Wins() && god.sharesTop {
		return
	}
	q.force(foe, gods[p.Gods[foe]].female, m.To(), god.fast.Land(p, m.From(), m.To()))
}
