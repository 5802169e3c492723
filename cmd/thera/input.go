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
	lines := bufio.NewScanner(&flushing{interruptible(cmd.Context(), in), out})
	lines.Buffer(nil, most)
	enc, all := report.NewJSON(out), true
	for lines.Scan() {
		object, good := answer(lines.Bytes())
		if all = all && good; object != nil {
			if err := enc.Encode(object); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return errors.Join(fmt.Errorf("stdin: %w", err), out.Flush())
	}
	return findings(all, out.Flush())
}

// flushing is input: before it waits for more, the answers so far go out.
type flushing struct {
	in  io.Reader
	out *bufio.Writer
}

func (f *flushing) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(p)
}

// findings returns the end of the command: exit status 1 after a bad line.
func findings(good bool, err error) error {
	if err == nil && !good {
		return &exitError{code: exitFindings}
	}
	return err
}
