package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"thera/arena/report"
)

// usualColumns is the width of text for people that does not go to a terminal:
// it is read in logs, mails and documents. Scripts have JSON and CSV, which are
// always complete.
const usualColumns = 80

const wideFlag = "wide"

// columns returns how many columns a line on stdout may have; 0 is no limit.
func columns(cmd *cobra.Command) int {
	if wide, err := cmd.Flags().GetBool(wideFlag); err == nil && wide {
		return 0
	}
	if n := report.Columns(cmd.OutOrStdout()); n > 0 {
		return n
	}
	return usualColumns
}

// output is stdout. It keeps the first error: not all that print look at it.
type output struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = cmp.Or(o.err, err)
	return n, err
}

// Fd tells a terminal from a file.
func (o *output) Fd() uintptr {
	if f, ok := o.Writer.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// complain writes an error.
func complain(errOut io.Writer, err error) { tell(errOut, "thera: %s", report.Lines(err.Error())) }

// tell writes a message to stderr. It fits a terminal; elsewhere it is one line, as
// editors and logs want it. What engines say in it is neutralised.
func tell(errOut io.Writer, format string, args ...any) {
	fmt.Fprintln(errOut, report.Wrap(report.Lines(fmt.Sprintf(format, args...)), report.Columns(errOut), 2))
}

// helpTexts has a part for each command: its text, in 80 columns, and its examples.
//
//go:embed help.txt
var helpTexts string

// explain gives each command its help.
func explain(root *cobra.Command) {
	for _, part := range strings.Split(helpTexts, "\n# ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		cmd := root
		for _, c := range root.Commands() {
			if c.Name() == name {
				cmd = c
			}
		}
		cmd.Long, cmd.Example, _ = strings.Cut(text, "\nExamples:\n")
		cmd.Long, cmd.Example = strings.TrimSpace(cmd.Long), strings.TrimRight(cmd.Example, "\n")
	}
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", usualColumns))
	root.SetUsageTemplate(usage)
}

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
