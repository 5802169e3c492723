package serve

import (
	"fmt"
	"io"
	"sync"
)

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

// Err is the first error of writing: the output is closed.
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
