package report

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"thera/arena"
)

// screen is the progress bar in a terminal.
type screen struct {
	progress *mpb.Progress
	line     *mpb.Bar
	status   atomic.Value // string
}

// newScreen returns a display on w.
func newScreen(w io.Writer) *screen {
	b := &screen{progress: mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(150*time.Millisecond))}
	b.status.Store("")
	b.line = b.progress.New(
		0, mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
		mpb.BarWidth(24), mpb.BarFillerTrim(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			status := b.status.Load().(string)
			if n := Columns(w); n > 0 {
				status = cut(status, max(n-2, leastName)) // a blank, and a column of the bar
			}
			return " " + status
		})),
	)
	return b
}

// show shows what a run has come to.
func (b *screen) show(e arena.Event) {
	b.status.Store(Progress(e))
	b.line.SetTotal(int64(max(e.Total, e.Played+1)), false)
	b.line.SetCurrent(int64(e.Played))
}

// close leaves the bar as it is.
func (b *screen) close() {
	b.line.Abort(false)
	b.progress.Wait()
}
