package report

import (
	"fmt"
	"io"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// Live shows a running tournament. In a terminal it draws a progress bar and,
// for long runs, a table above it; elsewhere it prints a line for each event.
// It is an arena.Watcher. Close ends the display.
type Live struct {
	out   io.Writer
	bar   *screen // nil: plain lines
	plain plain
}

// NewLive returns a display on out. With noBar it prints lines even if out is a
// terminal that may get escape sequences. show is the command that shows a game,
// without the game.
func NewLive(out io.Writer, noBar bool, show string) *Live {
	l := &Live{out: out, plain: plain{faults: faultsSeen{show: show}}}
	if !noBar && Escapes(out) {
		l.bar = newScreen(out, false)
		l.bar.faults.show = show
	}
	return l
}

// Event implements arena.Watcher.
func (l *Live) Event(e arena.Event) {
	if l.bar != nil {
		l.bar.event(e)
		return
	}
	l.plain.event(l.out, e)
}

// Print writes several lines to out. If out is the terminal of the display, they
// go above the bar.
func (l *Live) Print(out io.Writer, text string) error {
	if l.bar != nil && IsTerminal(out) {
		_, err := l.bar.progress.Write([]byte(text))
		return err
	}
	_, err := io.WriteString(out, text)
	return err
}

// Close ends the display and leaves the last state on the screen.
func (l *Live) Close() error {
	if l.bar != nil {
		l.bar.close()
	}
	return l.plain.err
}

// status is the content of a line of progress.
type status struct {
	event arena.Event
	score string
	test  *arena.TestState
}

func statusOf(e arena.Event) *status {
	s := &status{event: e}
	if e.Summary != nil {
		s.score, s.test = scoreText(e.Summary), e.Summary.Test()
	}
	return s
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
	return fmt.Sprintf("%s %s (%s)", Printable(best.Name), record(best.WDL), Percent(best.Score.Score))
}

// played returns the number of games played since the run was last started.
func (s *status) played() int { return s.event.Played - s.event.Kept }

// rate returns games and moves per second.
func (s *status) rate() (games, moves float64) {
	seconds := s.event.Elapsed.Seconds()
	if seconds <= 0 {
		return 0, 0
	}
	return float64(s.played()) / seconds, float64(s.event.Moves) / seconds
}

// left estimates the time to the end of the plan, or to the decision of a test
// if that is expected earlier.
func (s *status) left() (time.Duration, bool) {
	games, _ := s.rate()
	remaining := float64(s.event.Total - s.event.Played)
	if t := s.test; t != nil && t.GamesLeft != nil && t.Pairs > 0 && (s.event.Total == 0 || *t.GamesLeft < remaining) {
		remaining = *t.GamesLeft
	} else if s.event.Total == 0 {
		return 0, false
	}
	if games <= 0 || remaining <= 0 || remaining/games > 1e7 {
		return 0, false
	}
	return time.Duration(remaining / games * float64(time.Second)), true
}

// line returns the status as one line.
func (s *status) line() string {
	text := fmt.Sprintf("%d games", s.event.Played)
	if s.event.Total > 0 {
		text = fmt.Sprintf("%d/%d games", s.event.Played, s.event.Total)
	}
	if games, moves := s.rate(); s.played() > 0 && games > 0 {
		text += fmt.Sprintf(", %s games/s, %s moves/s", short(games), short(moves))
	}
	if n := s.event.Workers; n > 0 {
		text += fmt.Sprintf(", %s, %s", arena.Plural(n, "worker"), arena.Plural(s.event.Slots, "slot"))
	}
	if s.score != "" {
		text += ", " + s.score
	}
	if t := s.test; t != nil {
		text += fmt.Sprintf(", LLR %.2f in [%.2f, %.2f]", t.LLR, t.Lower, t.Upper)
	}
	if left, ok := s.left(); ok {
		text += ", " + span(left) + " left"
	}
	return text
}

// short formats a rate with two or three digits.
func short(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// gameLine describes a finished game in one line.
func gameLine(rec *arena.Record) string {
	result := map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
	return fmt.Sprintf("%s  %s - %s  %s  %s in %d", arena.Short(rec.ID), rec.Engine(game.First), rec.Engine(game.Second), result, rec.Outcome.Reason, len(rec.Moves))
}
