package report

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/game"
)

// Live shows a running tournament: in a terminal a progress bar, and for long
// runs a table above it; elsewhere a line for each event. It is an
// arena.Watcher; Close ends it.
type Live struct {
	out   io.Writer
	bar   *screen // nil: plain lines
	plain plain
}

// NewLive shows a run on out; in plain lines also where out is a terminal, if
// plainly.
func NewLive(out io.Writer, plainly bool) *Live {
	l := &Live{out: out}
	if f, ok := out.(*os.File); ok && !plainly && term.IsTerminal(int(f.Fd())) {
		l.bar = newScreen(out, false)
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

// Close ends the display; what it showed stays on the screen.
func (l *Live) Close() error {
	if l.bar != nil {
		l.bar.close()
	}
	return l.plain.err
}

// status is what a line of progress says.
type status struct {
	event arena.Event
	score string
	test  *TestResult
}

func statusOf(e arena.Event) *status {
	s := &status{event: e}
	if e.Summary != nil {
		var r Report
		r.tests(e.Summary.Tests)
		s.score, s.test = scoreText(e.Summary), r.SPRT
	}
	return s
}

// scoreText is the score so far: of two engines the first one's record, of
// more the leader.
func scoreText(sum *arena.Summary) string {
	records := map[string]rating.WDL{}
	for i := range sum.Rows {
		if row := &sum.Rows[i]; row.Pairing[0] != row.Pairing[1] {
			games := wdl(row.Games)
			records[row.Pairing[0]] = records[row.Pairing[0]].Add(games)
			records[row.Pairing[1]] = records[row.Pairing[1]].Add(games.Flip())
		}
	}
	best, bestScore := "", -1.0
	for i, e := range sum.Engines {
		if s := fraction(records[e.Name]); s != nil && *s > bestScore && (i == 0 || len(sum.Engines) > 2) {
			best, bestScore = e.Name, *s
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("%s %s (%s)", Printable(best), record(records[best]), percent(&bestScore))
}

// fresh are the games played since this start.
func (s *status) fresh() int { return s.event.Played - s.event.Kept }

// rate is games and moves a second.
func (s *status) rate() (games, moves float64) {
	seconds := s.event.Elapsed.Seconds()
	if seconds <= 0 {
		return 0, 0
	}
	return float64(s.fresh()) / seconds, float64(s.event.Moves) / seconds
}

// left is the time to the end of the plan, or of a test as far as expected.
func (s *status) left() (time.Duration, bool) {
	games, _ := s.rate()
	togo := float64(s.event.Total - s.event.Played)
	if t := s.test; t != nil && t.GamesLeft != nil && t.Pairs > 0 && (s.event.Total == 0 || *t.GamesLeft < togo) {
		togo = *t.GamesLeft
	} else if s.event.Total == 0 {
		return 0, false
	}
	if games <= 0 || togo <= 0 || togo/games > 1e7 {
		return 0, false
	}
	return time.Duration(togo / games * float64(time.Second)), true
}

// line is the whole status in one line.
func (s *status) line() string {
	text := fmt.Sprintf("%d games", s.event.Played)
	if s.event.Total > 0 {
		text = fmt.Sprintf("%d/%d games", s.event.Played, s.event.Total)
	}
	if games, moves := s.rate(); s.fresh() > 0 && games > 0 {
		text += fmt.Sprintf(", %s games/s, %s moves/s", short(games), short(moves))
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

// short is a rate with two or three figures.
func short(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// gameLine tells a finished game.
func gameLine(rec *arena.Record) string {
	result := map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
	return fmt.Sprintf("%s  %s - %s  %s  %s in %d", Short(rec.ID), rec.Engine(game.First), rec.Engine(game.Second), result, rec.Outcome.Reason, len(rec.Moves))
}
