package protocol

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxLine is the longest line that Lines reads, in bytes. Positions and the
// moves of a whole game stay far below it.
const maxLine = 1 << 20

// Lines reads in and calls handle with each line that is not empty, without its end, until
// handle returns false or the input ends. A line ends with \n, \r\n or a lone \r. A last
// line without an end counts. The slice is valid until handle returns. Lines returns the
// reader's error; the end of input is none. Longer lines are cut.
//
// Servers must not let handle run for long: a search belongs in a
// serve.Thinker.
func Lines(in io.Reader, handle func(line []byte) bool) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 2*maxLine)
	cut := false // the last line was cut: the rest of it is dropped
	lines.Split(func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		at := bytes.IndexAny(data, "\r\n")
		switch {
		case at >= 0:
			advance, line = at+1, data[:at]
		case atEOF || len(data) >= maxLine:
			advance, line = len(data), data
		default:
			return 0, nil, nil
		}
		if cut {
			line = nil
		}
		cut = at < 0
		return advance, line, nil
	})
	for lines.Scan() {
		if line := lines.Bytes(); len(line) > 0 && !handle(line) {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading lines: %w", err)
	}
	return nil
}
