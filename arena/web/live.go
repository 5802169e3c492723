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
// A nil Live plays nothing.
type Live struct {
	over chan struct{} // closed at the end of the run

	mu     sync.Mutex
	last   arena.Event
	now    *loaded     // by the last summary
	boards []liveBoard // by slot
	faults []*arena.GameLine
}

// NewLive returns a run that has not begun.
func NewLive() *Live { return &Live{over: make(chan struct{})} }

const (
	mostBoards = 12 // that a page shows
	mostFaults = 10
)

// liveBoard is a game that is being played.
type liveBoard struct {
	job     arena.Job
	history *game.History
	plies   []arena.Ply // the last ones
	end     string      // why it ended; the board stays until another game takes its place
}

// Event implements arena.Watcher.
func (l *Live) Event(e arena.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case arena.GameFinished:
		if rec := e.Record; rec.Source == arena.Faulted {
			f := rec.Line("")
			if rec.Fault != nil {
				f.Reason = rec.Fault.Error()
			}
			l.faults = append([]*arena.GameLine{f}, l.faults[:min(len(l.faults), mostFaults-1)]...)
		}
		if i := l.board(e.Job.ID); i >= 0 {
			l.boards[i].end = e.Record.Outcome.Reason
		}
	case arena.Warned:
		if e.Record != nil { // its pair is void
			l.boards = slices.DeleteFunc(l.boards, func(b liveBoard) bool { return b.job.ID == e.Record.ID })
		}
	case arena.RunFinished:
		close(l.over)
	}
	if l.last = e; e.Summary != nil {
		l.now = atMoment(e.Summary)
	}
}

// Moved is called by workers after each turn of a game. It must cost nearly
// nothing: it only keeps the history.
func (l *Live) Moved(rec *arena.Game, history *game.History) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.board(rec.ID)
	if i < 0 { // it takes the place of one that has ended, so that a page keeps its shape
		i = slices.IndexFunc(l.boards, func(b liveBoard) bool {
			_, over := b.history.Position.Outcome() // the event of its end comes when it is stored
			return over || b.end != ""
		})
	}
	if i < 0 {
		i = len(l.boards)
		l.boards = append(l.boards, liveBoard{})
	}
	l.boards[i] = liveBoard{job: rec.Job, history: history, plies: slices.Clone(rec.Plies[max(0, len(rec.Plies)-4):])}
}

// board returns the place of a game on the boards, or -1.
func (l *Live) board(id string) int {
	return slices.IndexFunc(l.boards, func(b liveBoard) bool { return b.job.ID == id })
}

// Close implements the closing of watchers: nothing is left to do.
func (l *Live) Close() error { return nil }

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

// plays reports whether the run is the one that this program plays, or has played.
func (l *Live) plays(run int64) bool { return run != 0 && l.run() == run }

// parts draws the run as it is now, nil if this program does not play it.
func (l *Live) parts(run int64) (p *parts, over bool) {
	if !l.plays(run) {
		return nil, false
	}
	l.mu.Lock()
	e, now, faults := l.last, l.now, l.faults
	boards := slices.Clone(l.boards[:min(len(l.boards), mostBoards)])
	l.mu.Unlock()
	drawn := now.parts()
	p, over = &drawn, e.Kind == arena.RunFinished
	p.Faults = faults
	e.Summary = now.sum
	p.Progress = report.Progress(e)
	if e.Total > 0 {
		p.Share = min(100, 100*e.Played/e.Total)
	}
	if over {
		p.Progress += ". " + report.Printable(e.Text)
		return p, over
	}
	p.Boards = arena.Map(boards, liveBoard.draw)
	return p, over
}

func (b liveBoard) draw() board {
	out := board{
		First: b.job.Engine(game.First), Second: b.job.Engine(game.Second),
		frame: frame{Ply: b.history.Ply, SVG: b.history.Position.SVG(b.history.Turn, nil), End: report.Printable(b.end)},
	}
	if b.history.Ply > 0 {
		out.Words = report.Printable(match.Words(b.history))
	}
	for _, p := range b.plies {
		out.Evals[p.Seat.Index()] = new(askedOf(b.job.Engine(p.Seat), p))
	}
	return out
}
