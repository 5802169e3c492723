package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// interruptible returns in as a reader that ends with ctx, also while in is silent.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { r.CloseWithError(ctx.Err()) })
	return r
}

// eachLine calls do with each line of in, which has at most most bytes, without its line
// end. Before it waits for more of in it calls flush, for the answers so far.
func eachLine(in io.Reader, most int, flush func() error, do func([]byte) error) error {
	lines := bufio.NewScanner(readerFunc(func(p []byte) (int, error) {
		if err := flush(); err != nil {
			return 0, err
		}
		return in.Read(p)
	}))
	lines.Buffer(nil, most)
	for lines.Scan() {
		if err := do(lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("stdin: %w", err)
	}
	return nil
}

// readerFunc is an io.Reader that is a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
