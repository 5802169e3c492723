// Package serve is what every built-in engine shares between its protocol and
// its search: it reads commands while the engine thinks, keeps output in whole
// lines, and runs one computation at a time.
//
// It knows no protocol and no game: what a line means is the caller's.
package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
)

// MaxLine is the longest line of input that Lines hands on. Position strings
// and move lists of a whole game stay far below it.
const MaxLine = 1 << 20

// ErrLong is what a handler gets in place of a line longer than MaxLine.
var ErrLong = errors.New("line longer than 1 MiB")

// LineEnds says what ends a line.
type LineEnds uint8

// The kinds of line ends.
const (
	Newline LineEnds = iota // \n, with a \r before it dropped
	AnyEnd                  // \n, \r\n or a lone \r
)

// Lines reads in line by line and hands each to handle, without its end, until
// handle returns false or the input ends; a last line without an end counts. A
// line that is too long is read to its end and handed over as nil with
// ErrLong. The slice is valid until handle returns. The error is the reader's
// own; the end of input is none.
//
// handle runs on the calling goroutine and must return at once: long work
// belongs in a Thinker.
func Lines(in io.Reader, ends LineEnds, handle func(line []byte, err error) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	var long []byte
	skipLF := false
	for {
		line, err := readLine(r, ends, &long, &skipLF)
		if err == io.EOF && line == nil {
			return nil
		}
		if err != nil && err != io.EOF && !errors.Is(err, ErrLong) {
			return fmt.Errorf("reading commands: %w", err)
		}
		var fault error
		if errors.Is(err, ErrLong) {
			line, fault = nil, ErrLong
		}
		if !handle(line, fault) || err == io.EOF {
			return nil
		}
	}
}

// readLine reads one line. skipLF carries over that the last line ended in a
// lone \r, whose \n may not have arrived yet: waiting for it would delay the
// command.
func readLine(r *bufio.Reader, ends LineEnds, long *[]byte, skipLF *bool) ([]byte, error) {
	*long = (*long)[:0]
	over := false
	for {
		chunk, err := peek(r)
		if err != nil {
			if over {
				return nil, ErrLong
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
		if !over && len(*long)+take > MaxLine {
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
			return []byte{}, ErrLong
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

// Output writes whole lines from any goroutine, each with one Write.
type Output struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
	err error
}

// NewOutput is an Output to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

// Line writes line and a newline.
func (o *Output) Line(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = append(append(o.buf[:0], line...), '\n')
	o.flush()
}

// Printf formats one line; the newline is added.
func (o *Output) Printf(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = append(fmt.Appendf(o.buf[:0], format, args...), '\n')
	o.flush()
}

// Err is the first error of writing: nobody listens any more.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func (o *Output) flush() {
	if o.err != nil {
		return
	}
	_, o.err = o.w.Write(o.buf)
	if cap(o.buf) > 1<<20 {
		o.buf = nil
	}
}
