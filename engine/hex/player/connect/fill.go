package connect

import "thera/engine/hex/rules"

// ring is the cells around a cell in a circle, in rows and columns.
var ring = [6][2]int{{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {1, -1}, {0, -1}}

// filler fills in cells whose colour is settled, as in Hayward and van Rijswijck, Hex and Combinatorics (2006). A cell
// is dead if no colour of it joins cells around it that are not joined there already. Two empty cells are captured by
// a colour that, if the other side takes one of them, takes the other one, after which the first is dead.
type filler struct {
	board   []rules.Colour // with a border: the edges, and nobody's corners
	offsets [6]int         // of the cells around
	dead    [729]bool      // by the colours around, as digits
	with    [3][729]uint8  // ... for a colour: the empty cells around that make the cell dead if they are its own
}

func newFiller(size int) *filler {
	w := size + 2
	f := &filler{board: make([]rules.Colour, w*w)}
	for i := 1; i <= size; i++ {
		f.board[i], f.board[(w-1)*w+i] = rules.Black, rules.Black
		f.board[i*w], f.board[i*w+w-1] = rules.White, rules.White
	}
	for i, to := range ring {
		f.offsets[i] = to[0]*w + to[1]
	}
	for code := range f.dead {
		f.dead[code] = !joins(code)
	}
	for code := range f.dead {
		for i, unit := 0, 1; i < len(ring); i, unit = i+1, 3*unit {
			for c := rules.Black; c <= rules.White && code/unit%3 == int(rules.None); c++ {
				if f.dead[code+unit*int(c)] {
					f.with[c][code] |= 1 << i
				}
			}
		}
	}
	return f
}

// joins reports whether the cells around a cell, when all are full, may be of each colour in two places that are apart.
func joins(code int) bool {
	var around [6]rules.Colour
	for i := range around {
		around[i], code = rules.Colour(code%3), code/3
	}
	for full := range 1 << len(around) {
		changes := 0
		last := colourIn(around[5], full>>5)
		for i, c := range around {
			next := colourIn(c, full>>i)
			if next != last {
				changes++
			}
			last = next
		}
		if changes >= 4 {
			return true
		}
	}
	return false
}

// colourIn is the colour of a cell, which a bit gives if nobody has the cell.
func colourIn(c rules.Colour, bit int) rules.Colour {
	if c == rules.None {
		return rules.Black + rules.Colour(bit&1)
	}
	return c
}

// fill gives c the cells of a board that are dead or that c has captured, until there are no more. It returns those
// that are captured.
func (f *filler) fill(board []rules.Colour, size int, c rules.Colour) (captured Set) {
	w := size + 2
	for cell, holds := range board {
		f.board[(cell/size+1)*w+cell%size+1] = holds
	}
	for changed := true; changed; {
		changed = false
		for cell := range board {
			at := (cell/size+1)*w + cell%size + 1
			switch {
			case f.board[at] == c:
			case f.dead[f.around(at)]:
				f.board[at], changed = c, true
			case f.board[at] == rules.None:
				if to := f.capture(at, c); to > 0 {
					captured.Add(cell)
					captured.Add((to/w-1)*size + to%w - 1)
					changed = true
				}
			}
		}
	}
	for cell := range board {
		board[cell] = f.board[(cell/size+1)*w+cell%size+1]
	}
	return captured
}

// capture gives c an empty cell and one beside it if it has captured both. It returns the other one, or 0.
func (f *filler) capture(at int, c rules.Colour) (to int) {
	mine := f.with[c][f.around(at)]
	for i := 1; mine != 0 && i <= 3; i++ { // the other three are those of the other cell
		to := at + f.offsets[i]
		if mine>>i&1 != 0 && !f.onBorder(to) && f.with[c][f.around(to)]>>((i+3)%6)&1 != 0 {
			f.board[at], f.board[to] = c, c
			return to
		}
	}
	return 0
}

// onBorder reports whether an empty place is a corner of the border.
func (f *filler) onBorder(at int) bool {
	w := -f.offsets[0]
	return at < w || at >= w*(w-1) || at%w == 0 || at%w == w-1
}

// around is the colours around a place, as digits.
func (f *filler) around(at int) (code int) {
	for i := len(f.offsets) - 1; i >= 0; i-- {
		code = 3*code + int(f.board[at+f.offsets[i]])
	}
	return code
}
