package player

import (
	"math/bits"
	"math/rand/v2"

	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// field is a board with a border for playouts. Its places are those of the geometry.
type field struct {
	*net.Geometry
	cells  []rules.Colour
	inner  []uint16  // the places of cells
	ring   [6]int    // neighbours as offsets, in circular order
	inside []bool    // places of cells
	ends   []bool    // places in the last border row and column
	empty  []uint16  // scratch: places to fill
	where  []uint16  // scratch: index in empty, by place
	stack  []uint16  // scratch of the flood
	seen   []bool    // scratch of the flood
	rng    *rand.PCG // playouts draw from it
}

func newField(g *net.Geometry, seed uint64) *field {
	n := g.Width * g.Width
	f := &field{
		Geometry: g, cells: g.Empty(), inner: g.Inner(), ring: g.Ring(), ends: make([]bool, n), inside: make([]bool, n),
		where: make([]uint16, n), seen: make([]bool, n),
		stack: make([]uint16, 0, n), empty: make([]uint16, 0, n),
		rng: rand.NewPCG(seed, 0x686578),
	}
	for _, at := range f.inner {
		f.inside[at] = true
	}
	last := g.Size + net.Pad
	for i := range last {
		f.ends[last*g.Width+i], f.ends[(i+net.Pad)*g.Width+last] = true, true
	}
	return f
}

func (f *field) load(from []rules.Colour) {
	for i, at := range f.inner {
		f.cells[at] = from[i]
	}
}

// draw returns a random number below n, for small n.
func (f *field) draw(n int) int {
	return int(uint64(uint32(f.rng.Uint64())) * uint64(n) >> 32)
}

// playout fills the board with random moves, turn first, and returns the winner.
// A side answers an intrusion into one of its bridges. The board
// stays full.
func (f *field) playout(turn rules.Colour) rules.Colour {
	f.empty = f.empty[:0]
	for _, at := range f.inner {
		if f.cells[at] == rules.None {
			f.where[at] = uint16(len(f.empty))
			f.empty = append(f.empty, at)
		}
	}
	last := 0
	for n := len(f.empty); n > 0; n-- {
		at := 0
		if last != 0 {
			at = f.save(last, turn)
		}
		if at == 0 {
			at = int(f.empty[f.draw(n)])
		}
		f.cells[at] = turn
		i, moved := f.where[at], f.empty[n-1]
		f.empty[i], f.where[moved] = moved, i
		last, turn = at, turn.Other()
	}
	return f.winner()
}

// save is the empty place that restores a bridge of turn's after an intrusion on
// last, 0 if there is none.
func (f *field) save(last int, turn rules.Colour) int {
	sets := uint32(0) // of neighbours: free ones, black ones, white ones
	for i, d := range f.ring {
		sets |= 1 << (uint(i) + 8*uint(f.cells[last+d]))
	}
	free, mine := sets&63, sets>>(8*uint(turn))&63
	mine |= mine<<6 | mine<<12
	found := free & (mine >> 5) & (mine >> 7)
	if found == 0 {
		return 0
	}
	if found&(found-1) != 0 && f.draw(2) == 0 {
		found &= found - 1
	}
	return last + f.ring[bits.TrailingZeros32(found)]
}

// winner returns the winner of a full board. It follows the line between the black cells
// that are joined to the first border row and the white ones that are joined to the first
// border column, from the corner of both, until it meets another border.
func (f *field) winner() rules.Colour {
	black, k := (net.Pad-1)*f.Width+net.Pad, 4 // the white cell is its neighbour k
	for {
		next := black + f.ring[(k+5)%6]
		c := f.cells[next]
		switch {
		case f.ends[next]:
			return c
		case c == rules.Black:
			black, k = next, (k+1)%6
		default:
			k = (k + 5) % 6
		}
	}
}

// joined reports whether c's edges are joined.
func (f *field) joined(c rules.Colour) bool {
	clear(f.seen)
	f.stack = f.stack[:0]
	along := 1
	if c == rules.White {
		along = f.Width
	}
	for i := range f.Size {
		if at := int(f.inner[0]) + i*along; f.cells[at] == c {
			f.seen[at] = true
			f.stack = append(f.stack, uint16(at))
		}
	}
	for len(f.stack) > 0 {
		at := int(f.stack[len(f.stack)-1])
		f.stack = f.stack[:len(f.stack)-1]
		for _, d := range f.ring {
			next := at + d
			if f.cells[next] != c || f.seen[next] {
				continue
			}
			if f.ends[next] {
				return true
			}
			f.seen[next] = true
			if f.inside[next] {
				f.stack = append(f.stack, uint16(next))
			}
		}
	}
	return false
}
