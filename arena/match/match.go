// Package match plays one game between two engines, move by move, and says how it ended: by the
// rules, by an engine's fault, by adjudication, or by a stall of the machine. It also plays recorded
// games again.
//
// It knows no game and no protocol. A game.Position has the rules, and package player speaks to the
// engines. It does not choose games and does not store them.
package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// Match is a game in progress. Only one goroutine may use it.
type Match struct {
	game    game.Game
	players [2]*player.Player
	limits  [2]arena.Limit
	adjudge arena.Adjudication
	opts    Options
	rules   *rulesEngines // asked in foreign positions

	history  *game.History
	clocks   [2]clock
	seated   [2]bool
	proved   [2]bool // it has already moved under its limit
	asked    [2]bool // in this turn
	defaults [2]int  // number of replaced moves, in a game that forgives
	restarts [2]int
	late     [2]int // number of its moves before which it used too much CPU time while it waited
	turn     game.Turn
	answers  [2]player.Answer
	over     bool
	rec      *arena.Game
}

// Options of a match. All may be zero.
type Options struct {
	// By engine: what it may touch, nil for everything; no map: everything.
	Boxes   map[string]*sandbox.Box
	Trace   func(engine string, dir byte, line []byte)   // every line of every conversation
	Machine player.Machine                               // measures the processors; nil means this machine
	Moved   func(rec *arena.Game, history *game.History) // called after each turn; it must not keep rec
}

// New returns a match between two engines that goes on from history. The moves so far take no time
// from the clocks. The match fills rec as the game goes on.
func New(g game.Game, players [2]*player.Player, limits [2]arena.Limit, adjudge arena.Adjudication,
	history *game.History, rec *arena.Game, opts Options,
) *Match {
	m := &Match{game: g, players: players, limits: limits, adjudge: adjudge, opts: opts, history: history, rec: rec}
	rec.Moves, rec.Plies = arena.Map(history.Turns(), game.Turn.String), make([]arena.Ply, 0, 64)
	for i, l := range limits {
		m.clocks[i].left = l.Clock
	}
	return m
}

// History returns the game so far.
func (m *Match) History() *game.History { return m.history }

// Over reports whether and how the game ended.
func (m *Match) Over() (game.Outcome, bool) { return m.rec.Outcome, m.over }

// Begin starts the engines that do not run, and tells both the game and their seats. The error is a
// *Refusal if an engine cannot play this game at all.
func (m *Match) Begin(ctx context.Context) error {
	both := m.history.Position.ToMove() == game.Both
	var kept [2]bool
	var ended [2]string
	for i, p := range m.players {
		kept[i], ended[i] = p.Alive(), p.Ended()
		both = both || !kept[i] || ownTime(p)
	}
	errs := m.each(both, func(seat game.Seat) error {
		i, p := seat.Index(), m.players[seat.Index()]
		for {
			if err := m.ready(ctx, p, i, kept[i]); err != nil {
				return err
			}
			m.seated[i] = true
			err := p.Seat(ctx, seat, m.history)
			fault, _ := errors.AsType[*game.Fault](err)
			exited := fault != nil && (fault.Kind == game.FaultExited || fault.Kind == game.FaultCrashed)
			if !kept[i] || !exited {
				return err
			}
			// It exited after its last game, which was not noticed.
			kept[i], ended[i] = false, fault.Detail
		}
	})
	for i, exit := range ended {
		if exit != "" {
			m.warn(i, fmt.Sprintf("had ended since its last game (%s), restarted", exit))
		}
	}
	if errs != (faults{}) {
		return m.judgeFaults(ctx, errs)
	}
	m.judge()
	return nil
}

// ready starts an engine that does not run. It must be able to play this game.
func (m *Match) ready(ctx context.Context, p *player.Player, i int, runs bool) (err error) {
	if !runs {
		err = p.Start(ctx, m.history.Start().Position)
	}
	var fault *game.Fault
	switch {
	case errors.As(err, &fault) || ctx.Err() != nil:
		return err
	case err == nil:
		err = p.Fits(m.history.Position)
	}
	if err != nil {
		return &Refusal{Engine: p.Name(), Err: err}
	}
	return m.known(i, p.Info().Limits)
}

// known returns an error if an engine does not know the kind of its limit. The error is a fault if
// the engine has played under that limit before.
func (m *Match) known(i int, known game.Limits) error {
	kind, instead, p := "", "limit.move=100ms", m.players[i]
	switch l := &m.limits[i]; {
	case l.Nodes > 0 && !known.Nodes:
		kind = "nodes"
	case l.Depth > 0 && !known.Depth:
		kind = "depth"
	default:
		return nil
	}
	if known.Depth {
		instead = "limit.depth=4"
	}
	if len(p.Spec().Limit.Kinds()) > 0 { // not the limit of the match
		instead = "engines." + p.Name() + "." + instead
	}
	err := fmt.Errorf("the limit is %s, and this engine does not say that it knows such limits", kind)
	if m.proved[i] {
		return &game.Fault{Kind: game.FaultProtocol, Detail: err.Error()}
	}
	return &Refusal{Engine: p.Name(), Err: err, Instead: instead}
}

// ownTime reports whether an engine has a time limit in Seat and End. Both engines then use that time
// in parallel.
func ownTime(p *player.Player) bool {
	info := p.Info()
	return info.Preparation > 0 || info.Afterwards > 0
}

// faults has the errors of both seats.
type faults [2]error

// each calls do for each seat.
func (m *Match) each(both bool, do func(seat game.Seat) error) (errs faults) {
	if both {
		var second sync.WaitGroup
		second.Go(func() { errs[1] = do(game.Second) })
		errs[0] = do(game.First)
		second.Wait()
	} else if errs[0] = do(game.First); errs[0] == nil {
		errs[1] = do(game.Second)
	}
	return errs
}

// Step plays one turn and reports whether the game is over. An engine's fault is a verdict, not an
// error. Errors are those of the arena and of ctx.
func (m *Match) Step(ctx context.Context) (over bool, err error) {
	if !m.over {
		err = m.step(ctx)
	}
	return m.over, err
}

func (m *Match) step(ctx context.Context) error {
	if err := m.consult(ctx); err != nil || m.over {
		return err
	}
	m.answers, m.asked = [2]player.Answer{}, [2]bool{}
	var errs faults
	seats := m.history.Position.ToMove()
	seat := seats.Only()
	switch {
	case seat != game.None:
		m.answers[seat.Index()], errs[seat.Index()] = m.ask(ctx, seat)
	case seats == game.Both:
		errs = m.askBoth(ctx)
	default:
		return fmt.Errorf("position %q is not over, but has no side to move", m.history.Position)
	}
	m.turn = game.Turn{m.answers[0].Move, m.answers[1].Move}
	if errs != (faults{}) {
		if err := m.forgive(ctx, errs); err != nil || m.over {
			return err
		}
	}
	if seat != game.None && m.answers[seat.Index()].Resigned {
		m.book(seat, false)
		m.end(game.Outcome{Winner: seat.Other(), Reason: game.Resigned}, arena.Natural)
		return nil
	}
	return m.play(ctx, seats)
}

// ask synchronizes seat's engine and asks it for a move.
func (m *Match) ask(ctx context.Context, seat game.Seat) (player.Answer, error) {
	p := m.players[seat.Index()]
	p.Face(m.players[seat.Other().Index()], false)
	if err := p.Sync(ctx, m.history); err != nil {
		return player.Answer{}, err
	}
	ask, limits := m.budget(seat, p.Info())
	m.asked[seat.Index()] = true
	return p.Go(ctx, ask, limits)
}

// askBoth asks both engines, each on its clock, and then waits for both.
func (m *Match) askBoth(ctx context.Context) (errs faults) {
	for i, p := range m.players {
		p.Face(m.players[1-i], true)
		errs[i] = p.Sync(ctx, m.history)
	}
	for i, p := range m.players {
		if errs[i] == nil {
			ask, limits := m.budget(game.Seat(i+1), p.Info())
			m.asked[i] = true
			errs[i] = p.Ask(ctx, ask, limits)
		}
	}
	_ = m.each(true, func(seat game.Seat) error {
		i := seat.Index()
		if errs[i] == nil {
			m.answers[i], errs[i] = m.players[i].Answer(ctx)
		}
		m.players[i].Answered()
		return nil
	})
	return errs
}

// play applies a turn and subtracts its time.
func (m *Match) play(ctx context.Context, seats game.Seats) error {
	next, err := m.history.Play(m.turn)
	for err != nil {
		if err = m.illegal(ctx, seats, err); err != nil || m.over {
			return err
		}
		next, err = m.history.Play(m.turn)
	}
	m.history = next
	if catalog, ok := m.game.(game.RoleCatalog); ok && seats != game.Both {
		if text := catalog.Warning(next.Position); text != "" {
			m.warn(seats.Only().Index(), text)
		}
	}
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if seats.Has(seat) {
			m.book(seat, goesOn(seats, next.Position))
		}
	}
	m.rec.Moves = append(m.rec.Moves, m.turn.String())
	if m.opts.Moved != nil {
		m.opts.Moved(m.rec, m.history)
	}
	m.judge()
	return nil
}

// goesOn reports whether the turn of seats that led to pos goes on.
func goesOn(seats game.Seats, pos game.Position) bool {
	return seats == pos.ToMove() && seats != game.Both
}

// book subtracts the time of seat's answer. If again is set, its turn goes on.
func (m *Match) book(seat game.Seat, again bool) {
	i := seat.Index()
	a := &m.answers[i]
	m.clocks[i].charge(&m.limits[i], a.Wall, a.CPU, again)
	m.rec.Plies = append(m.rec.Plies, arena.Ply{
		Seat: seat, Wall: a.Wall, CPU: a.CPU, Depth: a.Depth, Nodes: a.Nodes,
		Score: a.Score, Scored: a.Known, Said: a.Details,
	})
	m.rec.Idle[i] += a.Idle
	if most := m.players[i].Spec().IdleCPU; most > 0 && a.Idle > most {
		m.late[i]++
	}
}

// Undo takes back the last turn, also in both engines, but not the time that it took. It reports
// whether there was one.
func (m *Match) Undo(ctx context.Context) (bool, error) {
	if m.history.Prev == nil {
		return false, nil
	}
	m.history, m.over = m.history.Prev, false
	r := m.rec
	r.Outcome, r.Source, r.Fault, r.Blamed, r.Detail, r.Dispute = game.Outcome{}, "", nil, game.None, "", nil
	r.Moves = r.Moves[:m.history.Ply]
	r.Plies = r.Plies[:max(len(r.Plies)-m.history.Position.ToMove().Len(), 0)]
	errs := m.each(false, func(seat game.Seat) error { return m.players[seat.Index()].Sync(ctx, m.history) })
	if errs != (faults{}) {
		return true, m.judgeFaults(ctx, errs)
	}
	return true, nil
}

// Finish tells both engines that the game is over and completes the record. The game may be
// unfinished. Finish ends an engine that is at fault.
func (m *Match) Finish(ctx context.Context) error {
	var after [2]string // both may end at the same time, and the record is for one goroutine only
	errs := m.each(slices.ContainsFunc(m.players[:], ownTime), func(seat game.Seat) error {
		i, p := seat.Index(), m.players[seat.Index()]
		if !m.seated[i] || !p.Alive() || m.rec.Fault != nil && m.rec.Blamed == seat {
			return nil
		}
		if err := p.End(ctx, m.history, m.rec.Outcome); err != nil {
			if ctx.Err() != nil {
				return err
			}
			after[i] = "after the game: " + err.Error()
		}
		return nil
	})
	for i, text := range after {
		if text != "" {
			m.warn(i, text)
			m.players[i].Kill()
		}
	}
	m.collect()
	return errors.Join(errs[:]...)
}
