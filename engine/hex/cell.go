package hex

import (
	"fmt"
	"strconv"

	"thera/engine/protocol"
)

// Cells are numbered row by row; row a is the top, column 1 the left. The
// protocol's letter is the row.

// cellName is a cell's coordinate.
func cellName(cell, size int) string {
	return string(appendCell(nil, cell, size))
}

func appendCell(text []byte, cell, size int) []byte {
	return strconv.AppendInt(append(text, byte('a'+cell/size)), int64(cell%size+1), 10)
}

// parseCell reads a coordinate strictly: a small letter and a column without
// leading zeros, on the board.
func parseCell(text string, size int) (int, error) {
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

// neighbours calls see with the cells beside cell, at most six.
func neighbours(cell, size int, see func(other int)) {
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
