package match

import (
	"context"
	"errors"
	"fmt"

	"thera/engine/game"
)

// forgive handles the errors of one or both seats in a turn. If the game replaces
// moves, it does so in m.turn; otherwise the game ends. The error is the arena's own.
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

// replaceMove plays move, the game's default, for the move of a seat with an error, most
// times in a game unless most is 0, and restarts an engine that is gone, which is asked again.
// The error is a fault that is not forgiven.
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
