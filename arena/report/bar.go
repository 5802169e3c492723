package report

import (
	"fmt"
	"io"
	"maps"
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

// screen is the display in a terminal.
type screen struct {
	progress *mpb.Progress
	line     *mpb.Bar
	faults   faultsSeen
	out      io.Writer

	mu        sync.Mutex
	now       *status
	table     string
	working   map[string]int // pairings in progress: games under way
	nextTable time.Time
}

// newScreen returns a display on w. With always it also draws if w is not a
// terminal, for tests.
func newScreen(w io.Writer, always bool) *screen {
	b := &screen{out: w, now: &status{}, working: map[string]int{}}
	options := []mpb.ContainerOption{mpb.WithOutput(w), mpb.WithRefreshRate(150 * time.Millisecond)}
	if always {
		options = append(options, mpb.WithAutoRefresh(), mpb.WithWidth(100))
	}
	b.progress = mpb.New(options...)
	b.line = b.progress.New(
		0, mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
		mpb.BarWidth(24), mpb.BarFillerTrim(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.status() })),
		mpb.BarExtender(mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
			// The library puts the first line next to the bar.
			lines := strings.SplitAfter(b.above(), "\n")
			slices.Reverse(lines)
			_, err := io.WriteString(w, strings.Join(lines, ""))
			return err
		}), true),
	)
	return b
}

func (b *screen) event(e arena.Event) {
	b.mu.Lock()
	switch e.Kind {
	case arena.GameStarted:
		b.working[pairingText(e.Job)]++
	case arena.GameFinished:
		key := pairingText(e.Job)
		if b.working[key]--; b.working[key] <= 0 {
			delete(b.working, key)
		}
	case arena.RunStarted, arena.Progressed, arena.RunFinished: // other events are too frequent
		b.now = statusOf(e)
		b.line.SetTotal(int64(max(e.Total, e.Played+1)), false)
		b.line.SetCurrent(int64(e.Played))
	}
	b.mu.Unlock()
	switch {
	case e.Kind == arena.RunStarted && e.Kept > 0:
		b.say(fmt.Sprintf("%s: resumed, %s kept", e.Run, games(e.Kept)))
	case e.Kind == arena.Warned:
		b.say("warning: " + e.Text)
	case e.Kind == arena.GameFinished && e.Record.Source == arena.Faulted:
		for _, line := range b.faults.lines(e.Record) {
			b.say(line)
		}
	case e.Kind == arena.Progressed && e.Elapsed > tableAfter && e.Summary != nil:
		b.refresh(e)
	}
}

func pairingText(j *arena.Job) string {
	if j == nil {
		return ""
	}
	return Printable(j.Pairing[0] + " - " + j.Pairing[1])
}

// say prints a line above the bar.
func (b *screen) say(text string) {
	// A failed write to the terminal cannot be reported anywhere.
	_, _ = b.progress.Write([]byte(Wrap(Printable(text), Columns(b.out), 2) + "\n"))
}

func (b *screen) status() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cut(b.now.line(), 2) // a blank, and a column of the bar
}

// cut shortens a line to the width of the terminal, less some columns.
func (b *screen) cut(line string, less int) string {
	if n := Columns(b.out); n > 0 {
		return cut(line, max(n-less, leastName))
	}
	return line
}

// above returns the lines above the bar: the ranking, the pairings in progress
// and the test.
func (b *screen) above() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := b.table
	if text != "" && len(b.working) > 0 {
		text += " playing: " + b.playing() + "\n"
	}
	if s := b.now.test; s != nil && s.Upper > s.Lower {
		text += b.cut(scale(s), 0) + "\n"
	}
	return text
}

// playing lists the pairings in progress, as many as fit on a line.
func (b *screen) playing() string {
	return b.cut(cut(strings.Join(slices.Sorted(maps.Keys(b.working)), ", "), 100), len(" playing: "))
}

// refresh updates the table unless the last update is too recent.
func (b *screen) refresh(e arena.Event) {
	if e.Time.Before(b.nextTable) {
		return
	}
	begin := time.Now()
	text, err := liveTable(e.Summary, Columns(b.out))
	b.nextTable = e.Time.Add(max(tableGap, tableShare*time.Since(begin)))
	if err != nil {
		return // the final tables report the error
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.table = text
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
	if err := t.Fit(width).Write(&text, Terminal); err != nil {
		return "", err
	}
	return text.String(), nil
}

// scale draws the LLR between its bounds.
func scale(s *arena.TestState) string {
	const width = 20
	at := int(float64(width) * (s.LLR - s.Lower) / (s.Upper - s.Lower))
	at = min(max(at, 0), width)
	text := fmt.Sprintf(" SPRT H0 %.2f |%s◆%s| %.2f H1  LLR %.2f, %d pairs", s.Lower, strings.Repeat("─", at), strings.Repeat("─", width-at), s.Upper, s.LLR, s.Pairs)
	if s.GamesLeft != nil {
		text += fmt.Sprintf(", about %.0f games left", *s.GamesLeft)
	}
	return text
}

// close removes the table and leaves the bar; the complete tables are printed
// afterwards.
func (b *screen) close() {
	b.mu.Lock()
	b.table, b.now.test = "", nil
	b.mu.Unlock()
	b.line.Abort(false)
	b.progress.Wait()
}
