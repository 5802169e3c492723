package match

import (
	"context"
	"errors"
	"fmt"

	"thera/engine/game"
)

// forgive handles the error of one seat. If the game replaces moves, it
// returns the replacement; otherwise it sets a verdict. The error is the
// arena's own.
func (m *Match) forgive(ctx context.Context, seat game.Seat, errs *faults) (string, error) {
	var turn game.Turn
	err := m.forgiveBoth(ctx, errs, &turn)
	return turn.Of(seat), err
}

// forgiveBoth handles the errors of both seats in turn.
func (m *Match) forgiveBoth(ctx context.Context, errs *faults, turn *game.Turn) error {
	if err := m.own(ctx, errs); err != nil {
		return err
	}
	if move, _ := m.game.Late(); move == "" {
		return m.judgeFaults(ctx, errs)
	}
	for i, err := range errs {
		if err == nil {
			continue
		}
		move, err := m.replaceMove(ctx, game.Seat(i+1), err)
		if err != nil {
			var one faults
			one[i] = err
			return m.judgeFaults(ctx, &one)
		}
		if m.verdict != nil {
			return nil
		}
		turn[i] = move
	}
	return nil
}

// replaceMove returns the game's default for the move of a seat with an error,
// and restarts an engine that is gone. An engine that exited before its first move
// is asked again, so that the record has no move of a dead engine. The error
// is a fault that is not forgiven.
func (m *Match) replaceMove(ctx context.Context, seat game.Seat, err error) (string, error) {
	i, c := seat.Index(), &m.counts
	for {
		var fault *game.Fault
		if ctx.Err() != nil || !errors.As(err, &fault) {
			return "", err
		}
		if m.verdict = m.stalled(seat, fault); m.verdict != nil {
			return "", nil
		}
		if m.canContinue(seat, err, fault) {
			break
		}
		if c.restarts[i]++; c.restarts[i] > 1 {
			return "", err
		}
		if err := m.restart(ctx, seat, fault); err != nil {
			return "", err
		}
		if m.moved(seat) {
			break
		}
		if m.answers[i], err = m.ask(ctx, seat); err == nil {
			return m.answers[i].Move, nil
		}
	}
	c.defaults[i]++
	move, most := m.game.Late()
	if most > 0 && c.defaults[i] > most {
		return "", err
	}
	return move, nil
}

// canContinue reports whether the conversation can go on after a fault of a move:
// the answer was late, unreadable or illegal. An engine that could not be
// asked, because it still owes an answer, must be restarted.
func (m *Match) canContinue(seat game.Seat, err error, fault *game.Fault) bool {
	var notAsked *unready
	if errors.As(err, &notAsked) {
		return false
	}
	switch fault.Kind {
	case game.FaultTimeout, game.FaultProtocol, game.FaultIllegal:
		return m.players[seat.Index()].Conn().ClearFault()
	}
	return false
}

// restart starts a new process in the middle of the game.
func (m *Match) restart(ctx context.Context, seat game.Seat, fault *game.Fault) error {
	p := m.players[seat.Index()]
	m.gather(seat.Index())
	m.rec.Warnings = append(m.rec.Warnings, fmt.Sprintf("%s: restarted at ply %d after %v", p.Name(), m.line.Ply+1, fault))
	if err := p.Start(ctx, m.line.Start().Position); err != nil {
		return err
	}
	return m.seat(ctx, seat)
}
