package player

import (
	"math/bits"
	"math/rand/v2"

	"thera/engine/hex/rules"
)

// field is a board with a border for playouts. Cell (r, c) has the place
// (r+1)*(size+2) + c+1. The border rows are black and the border columns white,
// so that every cell has six neighbours.
type field struct {
	size  int
	width int
	cells []rules.Colour
	inner []uint16  // all places on the board
	ring  [6]int    // neighbours as offsets, in circular order
	empty []uint16  // scratch: places to fill
	where []uint16  // scratch: index in empty, by place
	stack []uint16  // scratch of the flood
	seen  []bool    // scratch of the flood
	rng   *rand.PCG // playouts draw from it
}

func newField(size int, seed uint64) *field {
	width := size + 2
	f := &field{
		size: size, width: width, cells: make([]rules.Colour, width*width),
		ring:  [6]int{-width, -width + 1, 1, width, width - 1, -1},
		where: make([]uint16, width*width), seen: make([]bool, width*width),
		stack: make([]uint16, 0, width*width), empty: make([]uint16, 0, width*width),
		rng: rand.NewPCG(seed, 0x686578),
	}
	for i := range width {
		f.cells[i], f.cells[(width-1)*width+i] = rules.Black, rules.Black
	}
	for i := 1; i < width-1; i++ {
		f.cells[i*width], f.cells[i*width+width-1] = rules.White, rules.White
	}
	for cell := range size * size {
		f.inner = append(f.inner, uint16(f.place(cell)))
	}
	return f
}

// place is the place of a cell; cellAt is its inverse.
func (f *field) place(cell int) int { return (cell/f.size+1)*f.width + cell%f.size + 1 }
func (f *field) cellAt(at int) int  { return (at/f.width-1)*f.size + at%f.width - 1 }
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
// With bridges, a side answers an intrusion into one of its bridges. The board
// stays full.
func (f *field) playout(turn rules.Colour, bridges bool) rules.Colour {
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
		if bridges && last != 0 {
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
	lanes := uint32(0) // sets of neighbours: free ones, black ones, white ones
	for i, d := range f.ring {
		lanes |= 1 << (uint(i) + 8*uint(f.cells[last+d]))
	}
	free, own := lanes&63, lanes>>(8*uint(turn))&63
	own |= own<<6 | own<<12
	found := free & (own >> 5) & (own >> 7)
	if found == 0 {
		return 0
	}
	if found&(found-1) != 0 && f.draw(2) == 0 {
		found &= found - 1
	}
	return last + f.ring[bits.TrailingZeros32(found)]
}

// winner returns the winner of a full board: black if its edges are joined, else
// white.
func (f *field) winner() rules.Colour {
	if f.joined(rules.Black) {
		return rules.Black
	}
	return rules.White
}

// joined reports whether c's edges are joined.
func (f *field) joined(c rules.Colour) bool {
	clear(f.seen)
	f.stack = f.stack[:0]
	for i := 1; i <= f.size; i++ {
		at := f.width + i
		if c == rules.White {
			at = i*f.width + 1
		}
		if f.cells[at] == c {
			f.seen[at] = true
			f.stack = append(f.stack, uint16(at))
		}
	}
	for len(f.stack) > 0 {
		at := int(f.stack[len(f.stack)-1])
		f.stack = f.stack[:len(f.stack)-1]
		if c == rules.Black && at/f.width == f.size || c == rules.White && at%f.width == f.size {
			return true
		}
		for _, d := range f.ring {
			next := at + d
			if f.cells[next] == c && !f.seen[next] && f.inside(next) {
				f.seen[next] = true
				f.stack = append(f.stack, uint16(next))
			}
		}
	}
	return false
}

func (f *field) inside(at int) bool {
	row, column := at/f.width, at%f.width
	return row >= 1 && row <= f.size && column >= 1 && column <= f.size
}
