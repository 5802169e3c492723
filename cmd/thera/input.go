package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena/report"
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

// answerLines answers each line of in, of at most most bytes, with an object of JSON, or nil
// for none. The exit status is 1 if an answer is not good.
func answerLines(cmd *cobra.Command, in io.Reader, most int, answer func(line []byte) (object any, good bool)) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	enc, all := report.NewJSON(out), true
	err := eachLine(interruptible(cmd.Context(), in), most, out.Flush, func(line []byte) error {
		object, good := answer(line)
		if all = all && good; object == nil {
			return nil
		}
		return enc.Encode(object)
	})
	return findings(all, errors.Join(err, out.Flush()))
}

// findings returns the end of the command: exit status 1 after a bad line.
func findings(good bool, err error) error {
	if err == nil && !good {
		return &exitError{code: exitFindings}
	}
	return err
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
