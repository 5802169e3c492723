package rules

import (
	"fmt"
	"strconv"

	"thera/engine/protocol"
)

// Cells are numbered row by row; row a is the top, column 1 the left. The
// protocol's letter is the row.

// CellName is the coordinate of a cell.
func CellName(cell, size int) string {
	return string(AppendCell(nil, cell, size))
}

// AppendCell appends the coordinate of a cell.
func AppendCell(text []byte, cell, size int) []byte {
	return strconv.AppendInt(append(text, byte('a'+cell/size)), int64(cell%size+1), 10)
}

// ParseCell reads a coordinate on the board: a small letter and a column without
// leading zeros.
func ParseCell(text string, size int) (int, error) {
	if len(text) < 2 || len(text) > 3 || text[0] < 'a' || text[0] > 'z' {
		return 0, fmt.Errorf("coordinate %q: want a row letter and a column number, as a1", protocol.Clip(text))
	}
	column := 0
	for i, digit := range []byte(text[1:]) {
		if digit < '0' || digit > '9' || i == 0 && digit == '0' {
			return 0, fmt.Errorf("coordinate %q: want a row letter and a column number, as a1", protocol.Clip(text))
		}
		column = 10*column + int(digit-'0')
	}
	row := int(text[0] - 'a')
	if row >= size || column > size {
		return 0, fmt.Errorf("coordinate %s is off the board of %d x %d", text, size, size)
	}
	return row*size + column - 1, nil
}

// Neighbours calls see with the neighbours of cell, at most six.
func Neighbours(cell, size int, see func(other int)) {
	row, column := cell/size, cell%size
	if column > 0 {
		see(cell - 1)
	}
	if column < size-1 {
		see(cell + 1)
	}
	if row > 0 {
		see(cell - size)
		if column < size-1 {
			see(cell - size + 1)
		}
	}
	if row < size-1 {
		see(cell + size)
		if column > 0 {
			see(cell + size - 1)
		}
	}
}
