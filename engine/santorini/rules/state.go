package rules

import "math/bits"

// State is a position: a small value without pointers. Two positions are the same
// if they are equal.
type State struct {
	Above    [4]uint32 // Above[k] is the squares higher than k; Above[3] the domes
	Workers  [2]uint32 // by side, 0 and 1
	GodState [2]uint32 // what each god remembers between turns, in a code that its file defines
	Gods     [2]God
	Mover    uint8 // the side to move, 0 or 1
	Winner   uint8 // 0 during the game, else 1 or 2
}

// Height is the height of square s, 0 to 4.
func (p *State) Height(s int) int {
	b := uint(s) & 31
	return int(p.Above[0]>>b&1 + p.Above[1]>>b&1 + p.Above[2]>>b&1 + p.Above[3]>>b&1)
}

// Raise adds one level to each square of set; domes stay domes.
func (p *State) Raise(set uint32) {
	for k := range p.Above {
		grown := p.Above[k] & set
		p.Above[k] |= set
		set = grown
	}
}

// Lower removes one level from each square of set. None may be the ground.
func (p *State) Lower(set uint32) {
	for k := 3; k >= 0; k-- {
		gone := p.Above[k] & set
		p.Above[k] &^= gone
		set &^= gone
	}
}

// Dome makes each square of set a dome.
func (p *State) Dome(set uint32) {
	for k := range p.Above {
		p.Above[k] |= set
	}
}

// Level is the set of squares exactly h high.
func (p *State) Level(h int) uint32 {
	set := uint32(Board)
	if h > 0 {
		set = p.Above[h-1]
	}
	if h < 4 {
		set &^= p.Above[h]
	}
	return set
}

// Climbable is the set of squares at most one level above h that are not domes.
// It may have bits above the board.
func (p *State) Climbable(h int) uint32 {
	if h >= 2 {
		return ^p.Above[3]
	}
	return ^p.Above[h+1]
}

// atMost is the set of squares not higher than h, which may be negative.
func (p *State) atMost(h int) uint32 {
	if h < 0 {
		return 0
	}
	if h >= 4 {
		return Board
	}
	return Board &^ p.Above[h]
}

// Occupied is the set of squares with a worker.
func (p *State) Occupied() uint32 { return p.Workers[0] | p.Workers[1] }

// Placing reports whether the mover must place its workers. A side without workers
// on a board with blocks has lost them instead.
func (p *State) Placing() bool {
	return p.Workers[p.Mover&1] == 0 && p.Above[0] == 0 && p.Winner == 0
}

// Key is a hash of the whole position.
func (p *State) Key() uint64 {
	a := mix(uint64(p.Above[0])|uint64(p.Above[1])<<32^0xa0761d6478bd642f,
		uint64(p.Above[2])|uint64(p.Above[3])<<32^0xe7037ed1a0b428db)
	b := mix(uint64(p.Workers[0])|uint64(p.Workers[1])<<32^0x8ebc6af09c88c6e3,
		uint64(p.GodState[0])|uint64(p.GodState[1])<<32^0x589965cc75374cc3)
	c := uint64(p.Gods[0]) | uint64(p.Gods[1])<<8 | uint64(p.Mover)<<16 | uint64(p.Winner)<<24
	return mix(a^c, b^0x1d8e4e27c47d124f)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
