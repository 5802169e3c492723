// Package match plays one game between two engines, move by move, and says how
// it ended: by the rules, by an engine's fault, by adjudication, or by a stall
// of the machine.
//
// It knows no game and no protocol. Rules come from game.Position,
// conversations from player. It refuses to choose games and to store them.
package match

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// Match is a game in progress. It is used by one goroutine.
type Match struct {
	game    game.Game
	players [2]*player.Player
	limits  [2]arena.Limit
	adjudge arena.Adjudication
	opts    Options
	law     *law // asked in foreign positions

	line    *game.Line
	counts  counts
	before  []moment // the states to undo to, one a turn
	seated  [2]bool
	kept    [2]bool   // whether the engine was alive before this game
	turn    game.Turn // being played
	answers [2]player.Answer
	sides   [2]side // in a turn in which both seats move
	verdict *verdict
	rec     *arena.Game
}

// counts are what a match counts for each side.
type counts struct {
	clocks   [2]clock
	asked    [2]bool // for a move of this game
	defaults [2]int  // moves replaced, where the game forgives
	restarts [2]int
	idles    [2]idling
	remarks  [2]int // remarks of the conversation that are on the record
}

// moment is the state that Undo restores.
type moment struct {
	counts   counts
	plies    int
	warnings int
	passed   int
}

// moment returns the current state. Remarks made until now belong to earlier
// turns.
func (m *Match) moment() moment {
	for i := range m.players {
		m.gather(i)
	}
	return moment{counts: m.counts, plies: len(m.rec.Plies), warnings: len(m.rec.Warnings), passed: m.rec.Passed}
}

// Options observe a match; all may be zero.
type Options struct {
	Boxes   map[string]*sandbox.Box                          // by engine: what it may touch; without one everything
	Watch   func(seat game.Seat, r game.SearchInfo)          // progress of searches
	Trace   func(engine string, dir byte, line []byte)       // every line of every conversation
	Machine player.Machine                                   // what the processors did; nil: this machine
	Begun   func(job *arena.Job, players [2]*player.Player)  // the engines are ready and no move was asked for
	Moved   func(rec *arena.Game, line *game.Line)           // after each turn; rec is only lent
	Ended   func(rec *arena.Game, players [2]*player.Player) // before engines at fault are killed
}

// New is a match from start between two started engines. It fills rec as the
// game goes on.
func New(g game.Game, players [2]*player.Player, limits [2]arena.Limit, adjudge arena.Adjudication,
	start game.Position, rec *arena.Game, opts Options,
) *Match {
	m := &Match{game: g, players: players, limits: limits, adjudge: adjudge, opts: opts, line: game.Begin(start), rec: rec}
	rec.Moves, rec.Plies, m.before = make([]string, 0, 64), make([]arena.Ply, 0, 64), make([]moment, 0, 64)
	for i, l := range limits {
		m.counts.clocks[i].left = l.Clock
	}
	return m
}

// Resume sets the match to a game in progress, before Begin. The moves so far
// take no time from either clock.
func (m *Match) Resume(line *game.Line) {
	m.line = line
	m.before = m.before[:0]
	m.rec.Moves = m.rec.Moves[:0]
	for _, turn := range line.Turns() {
		m.before = append(m.before, moment{counts: m.counts, warnings: len(m.rec.Warnings)})
		m.rec.Moves = append(m.rec.Moves, turn.String())
	}
}

// Line is the game so far.
func (m *Match) Line() *game.Line { return m.line }

// Over reports whether and how the game ended.
func (m *Match) Over() (game.Outcome, bool) {
	if m.verdict == nil {
		return game.Outcome{}, false
	}
	return m.verdict.outcome, true
}

// Begin seats both engines.
func (m *Match) Begin(ctx context.Context) error {
	var ended [2]string
	err := m.each(m.parallel(), func(seat game.Seat) error {
		i, p := seat.Index(), m.players[seat.Index()]
		err := m.seat(ctx, seat)
		var fault *game.Fault
		if !m.kept[i] || !errors.As(err, &fault) || fault.Kind != game.FaultExited && fault.Kind != game.FaultCrashed {
			return err
		}
		// It exited after its last game and nobody noticed: as if it had been
		// noticed.
		ended[i] = endedBetween(p.Name(), fault.Detail)
		if err := p.Start(ctx, m.line.Start().Position); err != nil {
			return err
		}
		return m.seat(ctx, seat)
	})
	for _, text := range ended {
		if text != "" {
			m.rec.Warnings = append(m.rec.Warnings, text)
		}
	}
	if err != nil {
		return m.judgeFaults(ctx, err)
	}
	m.natural()
	return nil
}

func endedBetween(name, exit string) string {
	return fmt.Sprintf("%s: had ended since its last game (%s), restarted", name, exit)
}

func (m *Match) seat(ctx context.Context, seat game.Seat) error {
	m.seated[seat.Index()] = true
	return m.players[seat.Index()].Seat(ctx, seat, m.line)
}

// parallel reports whether an engine has time of its own in Seat and End. Then
// both engines use it at the same time.
func (m *Match) parallel() bool {
	for _, p := range m.players {
		if info := p.Info(); info.Preparation > 0 || info.Afterwards > 0 {
			return true
		}
	}
	return m.line.Position.ToMove() == game.Both
}

// faults are the errors of both seats; at least one is not nil.
type faults [2]error

func (f *faults) Error() string { return fmt.Sprintf("first seat: %v; second seat: %v", f[0], f[1]) }

// each calls do for both seats and returns *faults or nil.
func (m *Match) each(parallel bool, do func(seat game.Seat) error) error {
	var errs faults
	if parallel {
		var second sync.WaitGroup
		second.Go(func() { errs[1] = do(game.Second) })
		errs[0] = do(game.First)
		second.Wait()
	} else {
		errs[0] = do(game.First)
		if errs[0] == nil {
			errs[1] = do(game.Second)
		}
	}
	if errs[0] == nil && errs[1] == nil {
		return nil
	}
	return &errs
}

// Step plays one turn and reports whether the game is over. An engine's fault
// is a verdict; an error is the arena's own, or ctx's.
func (m *Match) Step(ctx context.Context) (over bool, err error) {
	if m.verdict != nil {
		return true, nil
	}
	if err := m.consult(ctx); err != nil || m.verdict != nil {
		return m.verdict != nil, err
	}
	m.before = append(m.before[:m.line.Ply], m.moment())
	// Both are fields of Match, so that a turn allocates nothing.
	turn, answers := &m.turn, &m.answers
	*turn, *answers = game.Turn{}, [2]player.Answer{}
	seats := m.line.Position.ToMove()
	switch seat := seats.Only(); {
	case seat != game.None:
		answer, err := m.ask(ctx, seat)
		if err != nil {
			var errs faults
			errs[seat.Index()], answers[seat.Index()] = err, answer
			if answer.Move, err = m.forgive(ctx, seat, &errs); err != nil {
				return m.verdict != nil, err
			}
			if m.verdict != nil {
				return true, nil
			}
		}
		if answer.Resigned {
			m.resign(seat, &answer)
			return true, nil
		}
		turn[seat.Index()], answers[seat.Index()] = answer.Move, answer
	case seats == game.Both:
		errs := m.askBoth(ctx, answers)
		*turn = game.Turn{answers[0].Move, answers[1].Move}
		if errs != nil {
			if err := m.forgiveBoth(ctx, errs, turn); err != nil || m.verdict != nil {
				return m.verdict != nil, err
			}
		}
	default:
		return false, fmt.Errorf("position %q is not over and nobody is to move", m.line.Position)
	}
	return m.play(ctx, seats, turn, answers)
}

// ask synchronizes seat's engine and asks it for a move.
func (m *Match) ask(ctx context.Context, seat game.Seat) (player.Answer, error) {
	p := m.players[seat.Index()]
	p.Face(m.players[seat.Other().Index()])
	if err := p.Sync(ctx, m.line); err != nil {
		return player.Answer{}, &unready{err}
	}
	ask, limits := m.budget(seat, p.Info())
	m.counts.asked[seat.Index()] = true
	return p.Go(ctx, ask, limits)
}

// play applies a turn and books its time.
func (m *Match) play(ctx context.Context, seats game.Seats, turn *game.Turn, answers *[2]player.Answer) (bool, error) {
	next, err := m.line.Play(*turn)
	for err != nil {
		if err = m.illegal(ctx, seats, turn, err); err != nil || m.verdict != nil {
			return m.verdict != nil, err
		}
		next, err = m.line.Play(*turn)
	}
	m.line = next
	m.warn(seats.Only(), next.Position)
	after := next.Position.ToMove()
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if !seats.Has(seat) {
			continue
		}
		a := &answers[seat.Index()]
		m.charge(seat, a.Wall, a.CPU, seats == after && seats != game.Both)
		m.book(seat, a)
	}
	m.rec.Moves = append(m.rec.Moves, turn.String())
	if m.opts.Moved != nil {
		m.opts.Moved(m.rec, m.line)
	}
	if !m.natural() {
		m.adjudicate()
	}
	return m.verdict != nil, nil
}

func (m *Match) book(seat game.Seat, a *player.Answer) {
	m.rec.Plies = append(m.rec.Plies, arena.Ply{
		Seat: seat, Wall: a.Wall, CPU: a.CPU, Depth: a.Depth, Nodes: a.Nodes, Score: a.Score, Scored: a.Known, Said: a.Details,
	})
	m.counts.idles[seat.Index()].add(a.Idle, m.players[seat.Index()].Spec().IdleCPU)
}

// Undo takes back the last turn, on both engines too. It reports whether there
// was one.
func (m *Match) Undo(ctx context.Context) (bool, error) {
	if m.line.Prev == nil {
		return false, nil
	}
	m.line = m.line.Prev
	was := m.before[m.line.Ply]
	m.before = m.before[:m.line.Ply]
	for i := range m.players {
		m.gather(i) // remarks made since then go with the turn
	}
	m.counts, m.verdict, m.rec.Dispute = was.counts, nil, nil
	m.rec.Plies, m.rec.Moves, m.rec.Passed = m.rec.Plies[:was.plies], m.rec.Moves[:m.line.Ply], was.passed
	m.rec.Warnings = m.rec.Warnings[:was.warnings]
	err := m.each(false, func(seat game.Seat) error { return m.players[seat.Index()].Sync(ctx, m.line) })
	if err != nil {
		return true, m.judgeFaults(ctx, err)
	}
	return true, nil
}

// Finish tells both engines that the game is over and completes the record.
// The game may be unfinished.
func (m *Match) Finish(ctx context.Context) error {
	m.complete()
	var after [2]string // both may end at the same time, and the record is for one goroutine only
	err := m.each(m.parallel(), func(seat game.Seat) error {
		p := m.players[seat.Index()]
		if !m.seated[seat.Index()] || !p.Alive() || m.verdict != nil && m.verdict.fault != nil && m.verdict.blamed == seat {
			return nil
		}
		if err := p.End(ctx, m.line, m.rec.Outcome); err != nil {
			if ctx.Err() != nil {
				return err
			}
			after[seat.Index()] = fmt.Sprintf("%s, after the game: %v", p.Name(), err)
		}
		return nil
	})
	for i, text := range after {
		if text != "" {
			m.rec.Warnings = append(m.rec.Warnings, text)
			m.players[i].Kill()
		}
	}
	if m.opts.Ended != nil {
		m.opts.Ended(m.rec, m.players)
	}
	m.collect()
	return err
}
