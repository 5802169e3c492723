package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// lineReader reads the lines of a command's input in bounded memory. It stops
// when its context ends, with the context's error, even if the input is
// silent.
type lineReader struct {
	name string // of the input, for errors
	most int    // bytes of a line
	in   *bufio.Reader
	at   int    // number of the last line
	line []byte // the unread rest of the last line
	err  error
}

// readLines reads in, whose lines have at most most bytes. It calls wait
// before each wait for more input, to flush the answers so far; wait may be
// nil.
func readLines(ctx context.Context, name string, in io.Reader, most int, wait func() error) *lineReader {
	return &lineReader{name: name, most: most, in: bufio.NewReader(&interruptible{ctx: ctx, source: in, wait: wait})}
}

// next returns the next line with its line end, valid until the next call, and
// io.EOF after the last. It does not return a line that an error cut off.
func (r *lineReader) next() ([]byte, error) {
	var long []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(long) == 0 && len(part) > 0 {
			r.at++
		}
		switch {
		case len(long)+len(part) > r.most:
			return nil, fmt.Errorf("%s:%d: line longer than %d bytes", r.name, r.at, r.most)
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		case err == nil || errors.Is(err, io.EOF) && len(long)+len(part) > 0:
			if long == nil {
				return part, nil
			}
			return append(long, part...), nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
	}
}

// Read turns the lines into a stream again, for readers that split lines
// themselves.
func (r *lineReader) Read(p []byte) (int, error) {
	if len(r.line) == 0 && r.err == nil {
		r.line, r.err = r.next()
	}
	if r.err != nil {
		return 0, r.err
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// interruptible is a reader whose Read ends with its context. A read of the
// source in progress then continues; the next Read gets its result.
type interruptible struct {
	ctx    context.Context
	source io.Reader
	wait   func() error
	buffer []byte
	under  chan chunk // the read in progress, nil if none
	rest   chunk
}

type chunk struct {
	text []byte
	err  error
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	for len(r.rest.text) == 0 {
		if r.rest.err != nil {
			return 0, r.rest.err
		}
		if r.under == nil {
			if r.wait != nil {
				if err := r.wait(); err != nil {
					return 0, err
				}
			}
			if r.buffer == nil {
				r.buffer = make([]byte, 64<<10)
			}
			under := make(chan chunk, 1)
			go func() {
				n, err := r.source.Read(r.buffer)
				under <- chunk{r.buffer[:n], err}
			}()
			r.under = under
		}
		select {
		case r.rest = <-r.under:
			r.under = nil
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	n := copy(p, r.rest.text)
	r.rest.text = r.rest.text[n:]
	return n, nil
}

// openInput opens a file for reading. For a named pipe without a writer it
// waits until the context ends.
func openInput(ctx context.Context, name string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
