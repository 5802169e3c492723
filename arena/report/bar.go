package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"thera/arena"
)

const (
	tableAfter = 10 * time.Second // shorter runs get no table
	tableGap   = time.Second      // the least time between two tables
	tableShare = 20               // the gap is at least this many times the cost of a table
	tableRows  = 12
)

// screen is the progress bar in a terminal, with the ranking above it.
type screen struct {
	progress  *mpb.Progress
	line      *mpb.Bar
	out       io.Writer
	nextTable time.Time

	mu     sync.Mutex
	status string
	table  string
}

// newScreen returns a display on w. With always it also draws if w is not a
// terminal, for tests.
func newScreen(w io.Writer, always bool) *screen {
	b := &screen{out: w}
	options := []mpb.ContainerOption{mpb.WithOutput(w), mpb.WithRefreshRate(150 * time.Millisecond)}
	if always {
		options = append(options, mpb.WithAutoRefresh(), mpb.WithWidth(100))
	}
	b.progress = mpb.New(options...)
	b.line = b.progress.New(
		0, mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
		mpb.BarWidth(24), mpb.BarFillerTrim(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			status, _ := b.shown()
			if n := Columns(b.out); n > 0 {
				status = cut(status, max(n-2, leastName)) // a blank, and a column of the bar
			}
			return " " + status
		})),
		mpb.BarExtender(mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
			// The library puts the first line next to the bar.
			_, table := b.shown()
			lines := strings.SplitAfter(table, "\n")
			slices.Reverse(lines)
			_, err := io.WriteString(w, strings.Join(lines, ""))
			return err
		}), true),
	)
	return b
}

func (b *screen) shown() (status, table string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status, b.table
}

// show shows what a run has come to. The table stays as it is if it is recent.
func (b *screen) show(e arena.Event) {
	b.line.SetTotal(int64(max(e.Total, e.Played+1)), false)
	b.line.SetCurrent(int64(e.Played))
	status, table := Progress(e), ""
	if e.Kind == arena.Progressed && e.Elapsed > tableAfter && !e.Time.Before(b.nextTable) {
		begin := time.Now()
		table, _ = liveTable(e.Summary, Columns(b.out)) // the final tables report the error
		b.nextTable = e.Time.Add(max(tableGap, tableShare*time.Since(begin)))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.status = status; table != "" {
		b.table = table
	}
}

// liveTable returns the first rows of the ranking.
func liveTable(sum *arena.Summary, width int) (string, error) {
	t := New(sum).ranking()
	t.Title = ""
	if more := len(t.Rows) - tableRows; more > 0 {
		t.Rows = t.Rows[:tableRows]
		t.Notes = []string{fmt.Sprintf("… %d more", more)}
	}
	var text strings.Builder
	err := t.Fit(width).Write(&text, Terminal)
	return text.String(), err
}

// close removes the table and leaves the bar; the complete tables are printed
// afterwards.
func (b *screen) close() {
	b.mu.Lock()
	b.table = ""
	b.mu.Unlock()
	b.line.Abort(false)
	b.progress.Wait()
}
