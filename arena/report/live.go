package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

const (
	gameGap     = 100 * time.Millisecond // the least time between two lines about games
	progressGap = 10 * time.Second       // and between two lines of progress
)

// Live shows a running tournament. In a terminal it draws a progress bar; elsewhere
// it prints lines. Of a fast run it
// skips games, so that warnings, faults and progress stay visible.
// It is an arena.Watcher. Close ends the display.
type Live struct {
	out                    io.Writer
	bar                    *screen // nil: plain lines
	faults                 faultsSeen
	lastGame, lastProgress time.Time
	err                    error

	every int // standings come after so many games; 0: never
	shown int // how many games there were with the last ones
	to    io.Writer
	width int
	flags string
}

// NewLive returns a display on out. With noBar it prints lines even if out is a
// terminal that may get escape sequences. show is the command that shows a game,
// without the game.
func NewLive(out io.Writer, noBar bool, show string) *Live {
	l := &Live{out: out, faults: faultsSeen{show: show}}
	if !noBar && Escapes(out) {
		l.bar = newScreen(out)
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
	switch e.Kind {
	case arena.RunStarted:
		l.shown = e.Kept
		l.lastProgress = e.Time
		if e.Kept > 0 {
			l.say("%s: resumed, %d kept of %s", e.Run, e.Kept, total(e.Total))
		} else {
			l.say("%s: started, %s", e.Run, total(e.Total))
		}
	case arena.Warned:
		l.say("warning: %s", e.Text)
	case arena.GameFinished:
		switch {
		case e.Record.Source == arena.Faulted:
			for _, line := range l.faults.lines(e.Record) {
				l.say("%s", line)
			}
		case l.bar == nil && e.Time.Sub(l.lastGame) >= gameGap:
			l.lastGame = e.Time
			l.say("%s", gameLine(e.Record))
		}
	case arena.Progressed:
		if l.bar == nil && e.Time.Sub(l.lastProgress) >= progressGap {
			l.lastProgress = e.Time
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
		if l.bar == nil {
			l.say("%s", Progress(e))
			l.say("%s: %s", e.Run, e.Text)
		}
	}
	if l.bar != nil && e.Summary != nil {
		l.bar.show(e)
	}
}

// say prints a line, above the bar if there is one.
func (l *Live) say(format string, args ...any) {
	text := Printable(fmt.Sprintf(format, args...))
	if l.bar != nil {
		text = Wrap(text, Columns(l.out), 2)
	}
	l.print(l.out, text+"\n")
}

// print writes several lines to out. If out is the terminal of the display, they
// go above the bar.
func (l *Live) print(out io.Writer, text string) {
	if l.bar != nil && (out == l.out || IsTerminal(out)) {
		out = l.bar.progress
	}
	if _, err := io.WriteString(out, text); l.err == nil {
		l.err = err
	}
}

// Close ends the display and leaves the last state on the screen.
func (l *Live) Close() error {
	if l.bar != nil {
		l.bar.close()
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
		text += ", " + span(time.Duration(games/rate*float64(time.Second))) + " left"
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
	for i := range sum.Figures.Engines {
		e := &sum.Figures.Engines[i]
		switch {
		case e.Games == 0 || len(sum.Engines) == 2 && e.Name != sum.Engines[0].Name || len(sum.Engines) == 1:
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

// gameLine describes a finished game in one line.
func gameLine(rec *arena.Game) string {
	result := map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
	return fmt.Sprintf("%s  %s - %s  %s  %s in %d",
		arena.Short(rec.ID), rec.Engine(game.First), rec.Engine(game.Second), result, rec.Outcome.Reason, len(rec.Moves))
}
