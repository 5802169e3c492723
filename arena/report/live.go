package report

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"thera/arena"
	"thera/engine/game"
)

// LiveOptions say how a running tournament is shown.
type LiveOptions struct {
	// Summary reads the tables of the run of that name, for the live table and
	// for the score of games kept from an earlier start; nil: neither.
	Summary func(ctx context.Context, run string) (*arena.Summary, error)

	// Plain asks for lines also in a terminal.
	Plain bool
}

// Live shows a running tournament: in a terminal a progress bar, and for long
// runs a table above it; elsewhere a line for each event. It is an
// arena.Watcher; Close ends it.
type Live struct {
	out   io.Writer
	opts  LiveOptions
	score tallyBoard
	bar   *screen // nil: plain lines
	plain plain
}

// NewLive shows a run on out.
func NewLive(out io.Writer, opts LiveOptions) *Live {
	l := &Live{out: out, opts: opts}
	if f, ok := out.(*os.File); ok && !opts.Plain && term.IsTerminal(int(f.Fd())) {
		l.bar = newScreen(out, opts.Summary, false)
	}
	return l
}

// Event implements arena.Watcher.
func (l *Live) Event(e arena.Event) {
	switch e.Kind {
	case arena.RunStarted:
		l.score.start(l.opts.Summary, e.Run)
	case arena.GameFinished:
		l.score.add(e.Record)
	}
	if l.bar != nil {
		l.bar.event(e, l.score.text)
		return
	}
	l.plain.event(l.out, e, l.score.text)
}

// Close ends the display; what it showed stays on the screen.
func (l *Live) Close() error {
	if l.bar != nil {
		l.bar.close()
	}
	return l.plain.err
}

// tallyBoard is the running score. It is small: a line for each engine.
type tallyBoard struct {
	mu     sync.Mutex
	names  []string
	points map[string]*[3]int // wins, draws, losses
}

// start takes over the games of earlier starts.
func (b *tallyBoard) start(read func(context.Context, string) (*arena.Summary, error), run string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.points = map[string]*[3]int{}
	if read == nil {
		return
	}
	sum, err := read(context.Background(), run)
	if err != nil {
		return // the score counts from here; whoever stores games will say more
	}
	for _, e := range sum.Engines {
		b.of(e.Name)
	}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		for k, n := range row.Games {
			b.of(row.Pairing[0])[k] += n
			b.of(row.Pairing[1])[2-k] += n
		}
	}
}

func (b *tallyBoard) of(name string) *[3]int {
	if b.points == nil {
		b.points = map[string]*[3]int{}
	}
	p := b.points[name]
	if p == nil {
		p = &[3]int{}
		b.points[name] = p
		b.names = append(b.names, name)
	}
	return p
}

func (b *tallyBoard) add(rec *arena.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := arena.WDL(rec.Winner())
	b.of(rec.Pairing[0])[at]++
	b.of(rec.Pairing[1])[2-at]++
}

// text is the running score: of two engines the first one's record, of more
// the leader.
func (b *tallyBoard) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	best, bestScore := "", -1.0
	for _, name := range b.names {
		if s := fraction(*b.points[name]); s != nil && *s > bestScore {
			best, bestScore = name, *s
		}
		if len(b.names) == 2 {
			break
		}
	}
	if best == "" {
		return ""
	}
	p := b.points[best]
	return fmt.Sprintf("%s %s (%s)", Printable(best), record(p[0], p[1], p[2]), percent(&bestScore))
}

// status is what a line of progress says.
type status struct {
	event arena.Event
	score string
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
	if t := s.event.SPRT; t != nil && t.GamesLeft >= 0 && t.Pairs > 0 && (s.event.Total == 0 || t.GamesLeft < togo) {
		togo = t.GamesLeft
	} else if s.event.Total == 0 {
		return 0, false
	}
	if games <= 0 || togo < 0 || togo/games > 1e7 {
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
	if t := s.event.SPRT; t != nil {
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
