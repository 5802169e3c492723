package web

import (
	"slices"
	"sync"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/report"
	"thera/engine/game"
)

// Live is the run that this program plays: an arena.Watcher that keeps the last
// summary, the boards and the last faults, and draws nothing until somebody looks.
// The zero value is ready to use. A nil Live plays nothing.
type Live struct {
	mu      sync.Mutex
	last    arena.Event
	now     *loaded      // by the last summary
	boards  []*liveBoard // by slot
	faults  []gameRow
	version int64
	over    bool
	text    string // why it is over
}

const (
	mostBoards = 12 // that a page shows
	mostFaults = 10
)

// liveBoard is a game that is being played.
type liveBoard struct {
	job   arena.Job
	line  *game.Line
	plies []arena.Ply // each seat's last
	end   string      // why it is over; it stays until another game takes its place
}

// Event implements arena.Watcher.
func (l *Live) Event(e arena.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.version++
	switch e.Kind {
	case arena.GameFinished:
		if rec := e.Record; rec.Source == arena.Faulted {
			f := rowOf(rec)
			if rec.Fault != nil {
				f.Reason = rec.Fault.Error()
			}
			l.faults = append([]gameRow{f}, l.faults[:min(len(l.faults), mostFaults-1)]...)
		}
		if i := l.board(e.Job.ID); i >= 0 {
			l.boards[i].end = e.Record.Outcome.Reason
		}
	case arena.Warned:
		if e.Record != nil { // its pair is void
			l.boards = slices.DeleteFunc(l.boards, func(b *liveBoard) bool { return b.job.ID == e.Record.ID })
		}
	case arena.RunFinished:
		l.over, l.text = true, e.Text
		l.boards = nil
	}
	if l.last = e; e.Summary != nil {
		l.now = atMoment(e.Summary)
	}
}

// Moved is called by workers after each turn of a game. It must cost nearly
// nothing: it only keeps the line.
func (l *Live) Moved(rec *arena.Game, line *game.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	i := l.board(rec.ID)
	if i < 0 { // it takes the place of one that is over, so that a page keeps its shape
		i = slices.IndexFunc(l.boards, func(b *liveBoard) bool {
			_, over := b.line.Position.Outcome() // its end is told only when it is stored
			return over || b.end != ""
		})
	}
	if i < 0 {
		i = len(l.boards)
		l.boards = append(l.boards, &liveBoard{})
	}
	b := l.boards[i]
	b.job = rec.Job
	b.end = ""
	b.line = line
	b.plies = b.plies[:0]
	for i := len(rec.Plies) - 1; i >= 0 && i >= len(rec.Plies)-3 && len(b.plies) < 2; i-- {
		if p := rec.Plies[i]; len(b.plies) == 0 || b.plies[0].Seat != p.Seat {
			b.plies = append(b.plies, p)
		}
	}
	l.version++
}

// board returns the place of a game on the boards, or -1.
func (l *Live) board(id string) int {
	return slices.IndexFunc(l.boards, func(b *liveBoard) bool { return b.job.ID == id })
}

// Close implements the closing of watchers: nothing is left to do.
func (l *Live) Close() error { return nil }

// plays reports whether the run is the one that this program plays, or has played.
func (l *Live) plays(run int64) bool { return run != 0 && l.run() == run }

// run is the number of the run, 0 before its first summary.
func (l *Live) run() int64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		return 0
	}
	return l.now.info.ID
}

// state returns the version of what parts would return.
func (l *Live) state() (version int64, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version, l.over
}

// ended reports whether the run is over.
func (l *Live) ended() bool {
	_, over := l.state()
	return over
}

// parts draws the run as it is now, after its first summary.
func (l *Live) parts() parts {
	l.mu.Lock()
	e, now, over, text, faults := l.last, l.now, l.over, l.text, slices.Clone(l.faults)
	var shown []liveBoard
	for _, b := range l.boards[:min(len(l.boards), mostBoards)] {
		shown = append(shown, *b)
		shown[len(shown)-1].plies = slices.Clone(b.plies)
	}
	l.mu.Unlock()
	p := now.parts()
	p.Faults = faults
	e.Summary = now.sum
	p.Progress = report.Progress(e)
	if e.Total > 0 {
		p.Share = min(100, 100*e.Played/e.Total)
	}
	if over {
		p.State = "finished"
		p.Progress += ". " + report.Printable(text)
	}
	for _, b := range shown {
		p.Boards = append(p.Boards, b.draw())
	}
	return p
}

func (b *liveBoard) draw() board {
	out := board{
		First: b.job.Engine(game.First), Second: b.job.Engine(game.Second), Ply: b.line.Ply, End: report.Printable(b.end),
		SVG: b.line.Position.SVG(b.line.Turn, nil), Words: report.Printable(b.line.Turn.String()),
	}
	if b.line.Ply > 0 {
		out.Words = report.Printable(match.Words(b.line))
	}
	rec := &arena.Game{Job: b.job}
	for i := range b.plies {
		out.Evals = append(out.Evals, evalOf(rec, &b.plies[i]))
	}
	slices.SortFunc(out.Evals, func(x, y Asked) int { return int(x.Seat) - int(y.Seat) })
	return out
}
