package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"thera/arena"
)

// The time between two lines of progress is a tenth of what the run has taken, within these
// bounds, so that the log of a night is a few screens long.
const (
	leastGap = 10 * time.Second
	mostGap  = 10 * time.Minute
)

// Live shows a running tournament. In a terminal it draws a progress bar; elsewhere
// it prints a line of progress now and then. Warnings and faults have lines of their own.
// It is an arena.Watcher. Close ends the display.
type Live struct {
	out          io.Writer
	bar          *screen // nil: plain lines
	faults       faultsSeen
	lastProgress time.Duration // since the start
	lastPlayed   int           // games at that time
	mu           sync.Mutex
	err          error

	every int // standings come after so many games; 0: never
	shown int // how many games there were with the last ones
	to    io.Writer
	width int
	flags string
}

// NewLive returns a display on out. again repeats its games.
func NewLive(out io.Writer, again Again) *Live {
	l := &Live{out: out, faults: faultsSeen{again, map[[2]string]bool{}}}
	if Escapes(out) {
		l.bar = &screen{out: out}
	}
	return l
}

// Every makes the display print on out what the run has come to, after every so many
// games. flags are those of Report.
func (l *Live) Every(games int, out io.Writer, width int, flags string) {
	l.every, l.to, l.width, l.flags = games, out, width, flags
}

// Event implements arena.Watcher.
func (l *Live) Event(e arena.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case arena.RunStarted:
		l.shown = e.Kept
		if e.Kept > 0 {
			l.say("%s: resumed, %d kept of %s", e.Run, e.Kept, total(e.Total))
		} else {
			l.say("%s: started, %s", e.Run, total(e.Total))
		}
	case arena.Warned:
		l.say("warning: %s", e.Text)
	case arena.GameFinished:
		if e.Record.Source == arena.Faulted {
			for _, line := range l.faults.lines(e.Record) {
				l.say("%s", line)
			}
		}
	case arena.Progressed:
		if l.bar == nil && e.Elapsed-l.lastProgress >= min(max(e.Elapsed/10, leastGap), mostGap) {
			l.lastProgress, l.lastPlayed = e.Elapsed, e.Played
			l.say("%s", Progress(e))
		}
		if l.every > 0 && e.Played/l.every > l.shown/l.every && e.Played != e.Total { // the end has its own
			l.shown = e.Played
			r := New(e.Summary)
			r.Width, r.Flags = l.width, l.flags
			var text strings.Builder
			l.err = errors.Join(l.err, r.Brief(&text, ""))
			l.print(l.to, text.String()+"\n")
		}
	case arena.RunFinished:
		if l.bar != nil || e.Played == e.Kept { // a run without a new game ends with words of its own
			break
		}
		if e.Played != l.lastPlayed {
			l.say("%s", Progress(e))
		}
		l.say("%s: %s", e.Run, e.Text)
	}
	if l.bar != nil && e.Summary != nil {
		l.bar.show(e)
	}
}

// Say prints a message. Several goroutines may call it, also after Close.
func (l *Live) Say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(l.out, Wrap(Lines(text), Columns(l.out), 2)+"\n")
}

// say prints one line, or what a terminal makes of it.
func (l *Live) say(format string, args ...any) {
	l.print(l.out, Wrap(Printable(fmt.Sprintf(format, args...)), Columns(l.out), 2)+"\n")
}

// print writes several lines to out. If out is the terminal of the display, they
// go above the bar.
func (l *Live) print(out io.Writer, text string) {
	if l.bar != nil && (out == l.out || IsTerminal(out)) {
		out = l.bar
	}
	if _, err := io.WriteString(out, text); l.err == nil {
		l.err = err
	}
}

// Close ends the display and leaves the last state on the screen.
func (l *Live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bar != nil {
		l.bar.close()
		l.bar = nil
	}
	return l.err
}

// Progress is how far a run is, as one line.
func Progress(e arena.Event) string {
	text := fmt.Sprintf("%d games", e.Played)
	if e.Total > 0 {
		text = fmt.Sprintf("%d/%d games", e.Played, e.Total)
	}
	rate := 0.0 // games a second since the run was last started
	if seconds := e.Elapsed.Seconds(); e.Played > e.Kept && seconds > 0 {
		rate = float64(e.Played-e.Kept) / seconds
		if text += ", " + often(rate, "games"); e.Moves > 0 {
			text += ", " + often(float64(e.Moves)/seconds, "moves")
		}
	}
	if e.Workers > 0 {
		text += fmt.Sprintf(", %s, %s", arena.Plural(e.Workers, "worker"), arena.Plural(e.Slots, "slot"))
	}
	var test *arena.TestState
	if e.Summary != nil {
		if score := scoreText(e.Summary); score != "" {
			text += ", " + score
		}
		if test = e.Summary.Test; test != nil {
			text += fmt.Sprintf(", LLR %.2f in [%.2f, %.2f]", test.LLR, test.Lower, test.Upper)
		}
	}
	if games := gamesLeft(e, test); games > 0 && rate > 0 && games/rate <= 1e7 {
		text += ", " + time.Duration(games/rate*float64(time.Second)).Round(time.Second).String() + " left"
	}
	return Printable(text)
}

// gamesLeft is how many games there are to the end of the plan, or to the decision of a
// test if that is expected earlier; 0 or less if it is not known.
func gamesLeft(e arena.Event, test *arena.TestState) float64 {
	games := float64(e.Total - e.Played)
	if test != nil && test.GamesLeft != nil && test.Pairs > 0 && (e.Total == 0 || *test.GamesLeft < games) {
		return *test.GamesLeft
	}
	return games
}

// scoreText returns the score so far: the first engine's if there are two, and
// the best one if there are more.
func scoreText(sum *arena.Summary) string {
	var best *arena.EngineRow
	engines := sum.Run.Plan.Engines
	for i := range sum.Figures.Engines {
		e := &sum.Figures.Engines[i]
		switch {
		case e.Games == 0 || len(engines) == 2 && e.Name != engines[0].Name || len(engines) == 1:
		case best == nil || *e.Score.Score > *best.Score.Score:
			best = e
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf("%s %s (%s)", best.Name, record(best.WDL), Percent(best.Score.Score))
}

// often formats a rate with two or three digits, as "2.5 games/s" or "1.5 games/min".
func often(rate float64, what string) string {
	per := "s"
	for _, longer := range []string{"min", "h"} {
		if rate < 0.5 {
			rate, per = 60*rate, longer
		}
	}
	if rate < 10 {
		return fmt.Sprintf("%.1f %s/%s", rate, what, per)
	}
	return fmt.Sprintf("%.0f %s/%s", rate, what, per)
}

func total(n int) string {
	if n == 0 {
		return "an open number of games"
	}
	return games(n)
}
