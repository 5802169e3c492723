package report

import (
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"thera/arena"
)

// descriptor is a file, or what writes to one.
type descriptor interface{ Fd() uintptr }

// Columns returns how many columns a line on w has: what the environment variable
// COLUMNS says, or the width of the terminal. It is 0 if w is not a terminal.
func Columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := w.(descriptor); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

// Escapes reports whether w is a terminal that may get escape sequences, which
// move its cursor and change its colours. NO_COLOR and TERM=dumb forbid them.
func Escapes(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(descriptor)
	return ok && term.IsTerminal(int(f.Fd()))
}

// screen is the progress bar in a terminal. All that is written there meanwhile must be
// written to it: the bar moves down. It appears when there is something to show.
type screen struct {
	out      io.Writer
	progress *mpb.Progress // nil: it has not appeared
	line     *mpb.Bar
	status   atomic.Value // string
}

// appear draws the bar.
func (b *screen) appear() {
	b.progress = mpb.New(mpb.WithOutput(b.out), mpb.WithRefreshRate(150*time.Millisecond))
	b.line = b.progress.New(
		0, mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
		mpb.BarWidth(24), mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Name("\r")), // the terminal may have shown a key, as ^C
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			status := b.status.Load().(string)
			if n := Columns(b.out); n > 0 {
				status = cut(status, max(n-2, leastName)) // a blank, and a column of the bar
			}
			return " " + status
		})),
	)
}

// Write writes above the bar.
func (b *screen) Write(text []byte) (int, error) {
	if b.progress == nil {
		return b.out.Write(text)
	}
	if _, err := b.progress.Write(append([]byte("\r"), text...)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// show shows what a run has come to.
func (b *screen) show(e arena.Event) {
	b.status.Store(Progress(e))
	if b.progress == nil {
		b.appear()
	}
	total := max(e.Total, e.Played)
	if e.Total == 0 { // nobody knows
		total++
	}
	b.line.SetTotal(int64(total), false)
	b.line.SetCurrent(int64(e.Played))
}

// close leaves the bar as it is.
func (b *screen) close() {
	if b.progress == nil {
		return
	}
	b.line.Abort(false)
	b.progress.Wait()
}
