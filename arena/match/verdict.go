package match

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/engine/game"
)

// end records how the game ended.
func (m *Match) end(outcome game.Outcome, by arena.Source) {
	m.over, m.rec.Outcome, m.rec.Source = true, outcome, by
}

// judge ends the game if it is over by the rules or by adjudication.
func (m *Match) judge() {
	if outcome, by := ended(m.game, &m.adjudge, m.history, m.rec.Plies); by != "" {
		m.end(outcome, by)
	}
}

// judgeFaults turns the faults of one or both seats into a verdict. If both failed in the same turn,
// nobody wins. It returns an error that is not an engine's fault: the end of the context, or a failure
// of the arena.
func (m *Match) judgeFaults(ctx context.Context, errs faults) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var both [2]*game.Fault
	for i, err := range errs {
		if errors.Is(err, game.ErrLimit) {
			err = m.known(i, game.Limits{})
		}
		var refused *Refusal
		var unfit *player.Unfit
		switch {
		case err == nil:
		case errors.As(err, &refused):
			return refused
		case errors.As(err, &unfit):
			return &Refusal{Engine: m.players[i].Name(), Err: unfit}
		case !errors.As(err, &both[i]):
			return fmt.Errorf("%s: %w", m.players[i].Name(), err)
		}
	}
	for i, fault := range both {
		if fault != nil && m.stalled(game.Seat(i+1), fault) {
			return nil
		}
	}
	for i := range both { // the first to fail comes last, because the record names it
		if fault := both[1-i]; fault != nil {
			second := m.rec.Detail
			m.forfeit(game.Seat(2-i), fault)
			if second != "" {
				m.rec.Outcome = game.Outcome{Reason: "both: " + reasonOf(both[0]) + ", " + reasonOf(both[1])}
				m.rec.Detail += "\n" + second
			}
		}
	}
	return nil
}

// reasonOf returns a fault as tables group it: its kind, and its detail if that is always the same.
func reasonOf(f *game.Fault) string {
	switch f.Kind {
	case game.FaultCrashed, game.FaultExited:
		return f.Error()
	case game.FaultTimeout:
		if strings.HasPrefix(f.Detail, notReady) {
			return string(f.Kind) + ": " + notReady
		}
	case game.FaultIllegal, game.FaultProtocol:
		return arena.Cut(f.Error(), 200)
	}
	return string(f.Kind)
}

const notReady = "not ready"

// tenth is the unit to which verdicts round times.
const tenth = 100 * time.Microsecond

// forfeit ends the game because of a fault of seat.
func (m *Match) forfeit(seat game.Seat, fault *game.Fault) {
	p := m.players[seat.Index()]
	var d strings.Builder
	fmt.Fprintf(&d, "%s (seat %d) at ply %d: %v\n", p.Name(), seat, m.history.Ply+1, fault)
	fmt.Fprintf(&d, "position: %s\nlimit: %s", m.history.Position, m.limits[seat.Index()].Text())
	if a := &m.answers[seat.Index()]; a.Wall > 0 {
		fmt.Fprintf(&d, "; used %s, CPU %s", a.Wall.Round(tenth), a.CPU.Round(tenth))
	}
	m.end(game.Outcome{Winner: seat.Other(), Reason: reasonOf(fault)}, arena.Faulted)
	m.rec.Fault, m.rec.Blamed, m.rec.Detail = fault, seat, d.String()
}

// stalled reports whether fault is a timeout that seat's engine provably did not cause, and then ends
// the game. If the opponent took the processors, that is the opponent's fault, otherwise the game is
// void. A session may report a timeout as a fault of the protocol, because of what the engine said
// before.
func (m *Match) stalled(seat game.Seat, fault *game.Fault) bool {
	c := m.players[seat.Index()].Conn()
	if c == nil || fault.Kind != game.FaultTimeout && (c.Fault() == nil || c.Fault().Kind != game.FaultTimeout) {
		return false
	}
	switch stall := c.Stall(); {
	case stall.Proof == "":
		return false
	case stall.Rival:
		m.forfeit(seat.Other(), &game.Fault{Kind: game.FaultIdle, Detail: "made its opponent late: " + stall.Proof})
		m.rec.Detail += "\nthe opponent: " + fault.Error()
	default:
		m.forfeit(seat, fault)
		m.end(game.Outcome{Reason: "stalled"}, arena.Stalled)
		m.rec.Detail += "\nthe machine stalled: " + stall.Proof
	}
	return true
}

// longestMove is the largest size of a move in bytes. No game has a move of a tenth of it.
const longestMove = 2000

// illegal judges a turn that the rules refused. If the game forgives, the move is replaced and the game
// goes on.
func (m *Match) illegal(ctx context.Context, seats game.Seats, err error) error {
	ill := &game.Illegal{Rule: err.Error()}
	_ = errors.As(err, &ill)
	seat := ill.Seat
	if !seats.Has(seat) {
		if seat = seats.Only(); seat == game.None {
			return fmt.Errorf("turn %q at %q: %w", m.turn, m.history.Position, err)
		}
	}
	i := seat.Index()
	move := m.turn[i]
	fault := &game.Fault{Kind: game.FaultIllegal, Detail: move + ": " + ill.Rule} // all of it: others check it
	if len(move) > longestMove {
		fault = game.Protocolf("a move of %d bytes: %s", len(move), arena.Cut(move, 300))
	}
	var errs faults
	errs[i] = fault
	if err := m.forgive(ctx, errs); err != nil {
		return err
	}
	switch {
	case m.over && ill.Near != "":
		m.rec.Detail += "\nnearest legal move: " + ill.Near
	case !m.over && m.turn[i] == move:
		return fmt.Errorf("the game's own default %q at %q: %w", move, m.history.Position, ill)
	}
	return nil
}

// collect adds the remarks of both conversations to the record, and ends an engine that is at fault.
func (m *Match) collect() {
	for i, p := range m.players {
		m.gather(i)
		if m.late[i] > 0 {
			m.warn(i, fmt.Sprintf("used CPU on the opponent's time, over %v before %d of its moves",
				p.Spec().IdleCPU, m.late[i]))
		}
		if m.defaults[i] > 0 {
			m.warn(i, fmt.Sprintf("%d moves late or unreadable, replaced", m.defaults[i]))
		}
		if p.Conn() != nil && m.rec.Fault != nil {
			m.rec.Tail[i], m.rec.Input[i] = p.Conn().Tail(), p.Conn().Input()
			if m.rec.Blamed == game.Seat(i+1) {
				p.Kill()
			}
			m.rec.Stderr[i] = p.Stderr()
		}
	}
}

// warn adds a remark on an engine to the record, once.
func (m *Match) warn(i int, text string) {
	if text = m.players[i].Name() + ": " + text; !slices.Contains(m.rec.Warnings, text) {
		m.rec.Warnings = append(m.rec.Warnings, text)
	}
}

// gather adds the remarks of one conversation to the record.
func (m *Match) gather(i int) {
	if m.players[i].Conn() == nil {
		return
	}
	warnings, passed := m.players[i].Conn().Notes()
	m.rec.Passed += passed
	for _, text := range warnings {
		m.warn(i, text)
	}
}

// ended returns how a game has ended: by the rules, or after a turn by adjudication. The source is ""
// if the game goes on. plies are the plies so far.
func ended(g game.Game, a *arena.Adjudication, history *game.History, plies []arena.Ply) (game.Outcome, arena.Source) {
	if outcome, over := history.Position.Outcome(); over {
		return outcome, arena.Natural
	}
	if history.Ply == 0 {
		return game.Outcome{}, ""
	}
	end := func(winner game.Seat, reason string) (game.Outcome, arena.Source) {
		return game.Outcome{Winner: winner, Reason: reason}, arena.Adjudicated
	}
	if prover, ok := g.(game.Prover); ok && a.Tables {
		if outcome, proven := prover.Proven(history.Position); proven {
			return end(outcome.Winner, "adjudicated: table")
		}
	}
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if a.ResignMoves > 0 && last(plies, game.SeatsOf(seat), a.ResignMoves, math.MinInt, -a.ResignScore) &&
			(!a.ResignBoth || last(plies, game.SeatsOf(seat.Other()), a.ResignMoves, a.ResignScore, math.MaxInt)) {
			return end(seat.Other(), "adjudicated: resigned by its scores")
		}
	}
	if a.DrawPlies > 0 && history.Ply >= a.DrawAfter && last(plies, game.Both, a.DrawPlies, -a.DrawScore, a.DrawScore) {
		return end(game.None, "adjudicated: both sides see a draw")
	}
	if a.MaxPlies > 0 && history.Ply >= a.MaxPlies {
		return end(game.None, "adjudicated: ply cap")
	}
	return game.Outcome{}, ""
}

// last reports whether each of the last n plies of some seats, at least one of each seat, has a score in
// a range.
func last(plies []arena.Ply, seats game.Seats, n, from, to int) bool {
	var seen game.Seats
	for i := len(plies) - 1; i >= 0; i-- {
		p := &plies[i]
		if !seats.Has(p.Seat) {
			continue
		}
		if !p.Scored || p.Score < from || p.Score > to {
			return false
		}
		seen |= game.SeatsOf(p.Seat)
		if n--; n == 0 {
			return seen == seats
		}
	}
	return false
}

// forgive handles the errors of one or both seats in a turn. If the game replaces moves, it does so in
// m.turn, otherwise the game ends. The error is not an engine's.
func (m *Match) forgive(ctx context.Context, errs faults) error {
	move, most := m.game.Late()
	if move == "" {
		return m.judgeFaults(ctx, errs)
	}
	for i, err := range errs {
		if err == nil {
			continue
		}
		if err := m.replaceMove(ctx, game.Seat(i+1), err, move, most); err != nil {
			var one faults
			one[i] = err
			return m.judgeFaults(ctx, one)
		}
	}
	return nil
}

// replaceMove plays move, the game's default, for a seat with an error. It does so at most most times in
// a game, unless most is 0. An engine that is gone is restarted and asked again. The error is a fault
// that is not forgiven.
func (m *Match) replaceMove(ctx context.Context, seat game.Seat, err error, move string, most int) error {
	i := seat.Index()
	for {
		fault, atFault := errors.AsType[*game.Fault](err)
		if ctx.Err() != nil || !atFault {
			return err
		}
		if m.stalled(seat, fault) {
			return err
		}
		// The answer was late, unreadable or illegal, and the conversation can go on. An engine
		// that could not be asked, because it still owes an answer, must be restarted.
		late := fault.Kind == game.FaultTimeout || fault.Kind == game.FaultProtocol || fault.Kind == game.FaultIllegal
		if late && m.asked[i] && m.players[i].Conn().ClearFault() {
			break
		}
		if m.restarts[i]++; m.restarts[i] > 1 {
			return err
		}
		m.gather(i)
		m.warn(i, fmt.Sprintf("restarted at ply %d after %v", m.history.Ply+1, fault))
		if err := m.players[i].Start(ctx, m.history.Start().Position); err != nil {
			return err
		}
		if err := m.players[i].Seat(ctx, seat, m.history); err != nil {
			return err
		}
		if m.answers[i], err = m.ask(ctx, seat); err == nil {
			m.turn[i] = m.answers[i].Move
			return nil
		}
	}
	m.defaults[i]++
	if most > 0 && m.defaults[i] > most {
		return err
	}
	m.turn[i] = move
	return nil
}
