package santorini

import "math/bits"

// state is the concrete position: a small value that is copied, never shared.
// Two positions are the same when they are ==.
type state struct {
	up      [4]uint32 // up[k]: squares more than k high; up[3]: domes
	workers [2]uint32
	power   [2]uint32 // what each god keeps between turns; its file says how
	god     [2]God
	mover   uint8 // 0 or 1
	winner  uint8 // 0 while playing, else 1 or 2
}

// height of square s, 0 to 4.
func (p *state) height(s int) int {
	b := uint(s) & 31
	return int(p.up[0]>>b&1 + p.up[1]>>b&1 + p.up[2]>>b&1 + p.up[3]>>b&1)
}

// raise adds one level on each square of set; domes stay domes.
func (p *state) raise(set uint32) {
	for k := range p.up {
		grown := p.up[k] & set
		p.up[k] |= set
		set = grown
	}
}

// lower removes one level from each square of set; none must be empty.
func (p *state) lower(set uint32) {
	for k := 3; k >= 0; k-- {
		gone := p.up[k] & set
		p.up[k] &^= gone
		set &^= gone
	}
}

// cap makes every square of set a dome.
func (p *state) dome(set uint32) {
	for k := range p.up {
		p.up[k] |= set
	}
}

// level is the set of squares exactly h high.
func (p *state) level(h int) uint32 {
	set := uint32(board)
	if h > 0 {
		set = p.up[h-1]
	}
	if h < 4 {
		set &^= p.up[h]
	}
	return set
}

// climbable is the set of squares at most one level above h, domes excluded.
func (p *state) climbable(h int) uint32 {
	if h >= 2 {
		return ^p.up[3]
	}
	return ^p.up[h+1]
}

// atMost is the set of squares not higher than h, which may be negative.
func (p *state) atMost(h int) uint32 {
	if h < 0 {
		return 0
	}
	if h >= 4 {
		return board
	}
	return board &^ p.up[h]
}

func (p *state) occupied() uint32 { return p.workers[0] | p.workers[1] }

// placing reports whether the mover's turn is to place its workers. A side
// without workers on a board with buildings has lost them instead.
func (p *state) placing() bool {
	return p.workers[p.mover&1] == 0 && p.up[0] == 0 && p.winner == 0
}

// key is the position's hash: everything in it, the gods included.
func (p *state) key() uint64 {
	a := fold(uint64(p.up[0])|uint64(p.up[1])<<32^0xa0761d6478bd642f,
		uint64(p.up[2])|uint64(p.up[3])<<32^0xe7037ed1a0b428db)
	b := fold(uint64(p.workers[0])|uint64(p.workers[1])<<32^0x8ebc6af09c88c6e3,
		uint64(p.power[0])|uint64(p.power[1])<<32^0x589965cc75374cc3)
	c := uint64(p.god[0]) | uint64(p.god[1])<<8 | uint64(p.mover)<<16 | uint64(p.winner)<<24
	return fold(a^c, b^0x1d8e4e27c47d124f)
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
