package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line that Lines accepts, in bytes. Positions and the
// moves of a whole game stay far below it.
const maxLine = 1 << 20

// errLong is passed to the handler of Lines instead of a line over maxLine.
var errLong = errors.New("line longer than 1 MiB")

// LineEnds is what ends a line.
type LineEnds uint8

// The kinds of line ends.
const (
	Newline LineEnds = iota // \n, with a \r before it dropped
	AnyEnd                  // \n, \r\n or a lone \r
)

// Lines reads in and calls handle with each line, without its end, until
// handle returns false or the input ends. A last line without an end counts. In
// place of a line over maxLine handle gets nil and errLong. The slice is valid
// until handle returns. Lines returns the reader's error; the end of input is
// none.
//
// Servers must not let handle run for long: a search belongs in a
// serve.Thinker.
func Lines(in io.Reader, ends LineEnds, handle func(line []byte, err error) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	var long []byte
	skipLF := false
	for {
		line, err := readLine(r, ends, &long, &skipLF)
		if err == io.EOF && line == nil {
			return nil
		}
		if err != nil && err != io.EOF && !errors.Is(err, errLong) {
			return fmt.Errorf("reading lines: %w", err)
		}
		var fault error
		if errors.Is(err, errLong) {
			line, fault = nil, errLong
		}
		if !handle(line, fault) || err == io.EOF {
			return nil
		}
	}
}

// readLine reads one line. skipLF remembers that the last line ended in \r:
// its \n may not have arrived yet, and waiting for it would delay the line.
func readLine(r *bufio.Reader, ends LineEnds, long *[]byte, skipLF *bool) ([]byte, error) {
	*long = (*long)[:0]
	over := false
	for {
		chunk, err := peek(r)
		if err != nil {
			if over {
				return nil, errLong
			}
			if len(*long) == 0 {
				return nil, err
			}
			return *long, err
		}
		if *skipLF {
			*skipLF = false
			if chunk[0] == '\n' {
				_, _ = r.Discard(1)
				continue
			}
		}
		at := lineEnd(chunk, ends)
		take := at
		if at < 0 {
			take = len(chunk)
		}
		if !over && len(*long)+take > maxLine {
			over = true
			*long = (*long)[:0]
		}
		if !over {
			*long = append(*long, chunk[:take]...)
		}
		if at < 0 {
			_, _ = r.Discard(take)
			continue
		}
		*skipLF = ends == AnyEnd && chunk[at] == '\r'
		_, _ = r.Discard(at + 1)
		if over {
			return []byte{}, errLong
		}
		line := *long
		if ends == Newline && len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if line == nil {
			line = []byte{}
		}
		return line, nil
	}
}

// peek returns what is buffered, at least one byte.
func peek(r *bufio.Reader) ([]byte, error) {
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	return r.Peek(r.Buffered())
}

func lineEnd(chunk []byte, ends LineEnds) int {
	for i, c := range chunk {
		if c == '\n' || c == '\r' && ends == AnyEnd {
			return i
		}
	}
	return -1
}
