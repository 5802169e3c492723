package match

import (
	"context"
	"errors"
	"fmt"

	"thera/engine/game"
)

// forgive handles an error of the one seat that has one. Where the game
// replaces moves it returns the replacement; else a verdict is set. An error is
// the arena's own.
func (m *Match) forgive(ctx context.Context, seat game.Seat, errs *faults) (string, error) {
	var turn game.Turn
	err := m.forgiveBoth(ctx, errs, &turn)
	return turn.Of(seat), err
}

// forgiveBoth does the same for the seats that have errors, in turn.
func (m *Match) forgiveBoth(ctx context.Context, errs *faults, turn *game.Turn) error {
	if err := m.own(ctx, errs); err != nil {
		return err
	}
	forgiving, ok := m.line.Position.(game.Forgiving)
	if !ok {
		return m.judgeFaults(ctx, errs)
	}
	for i, err := range errs {
		if err == nil {
			continue
		}
		seat := game.Seat(i + 1)
		var fault *game.Fault
		_ = errors.As(err, &fault)
		if v := m.stalled(seat, fault); v != nil {
			m.verdict = v
			return nil
		}
		if !m.pardon(seat, err, fault) {
			if m.restarts[i]++; m.restarts[i] > 1 {
				return m.judgeFaults(ctx, &faults{0: pick(i == 0, err), 1: pick(i == 1, err)})
			}
			if err := m.restart(ctx, seat, fault); err != nil {
				return m.judgeFaults(ctx, &faults{0: pick(i == 0, err), 1: pick(i == 1, err)})
			}
		}
		m.defaults[i]++
		if patient, ok := m.line.Position.(game.Patient); ok && patient.Patience() > 0 && m.defaults[i] > patient.Patience() {
			return m.judgeFaults(ctx, &faults{0: pick(i == 0, err), 1: pick(i == 1, err)})
		}
		turn[i] = forgiving.Default(seat)
	}
	return nil
}

func pick(take bool, err error) error {
	if take {
		return err
	}
	return nil
}

// pardon reports whether the conversation can go on after a fault of a move:
// it was late, unreadable or illegal. An engine that could not even be told
// (an owed answer that never came) has to be started afresh.
func (m *Match) pardon(seat game.Seat, err error, fault *game.Fault) bool {
	var deaf *unready
	if errors.As(err, &deaf) {
		return false
	}
	switch fault.Kind {
	case game.FaultTimeout, game.FaultProtocol, game.FaultIllegal:
		return m.players[seat.Index()].Conn().Pardon()
	}
	return false
}

// restart begins a fresh process in the middle of the game.
func (m *Match) restart(ctx context.Context, seat game.Seat, fault *game.Fault) error {
	p := m.players[seat.Index()]
	m.gather(seat.Index())
	m.rec.Warnings = append(m.rec.Warnings, fmt.Sprintf("%s: started afresh at ply %d after %v", p.Name(), m.line.Ply+1, fault))
	if err := p.Start(ctx, m.line.Start().Position); err != nil {
		return err
	}
	return m.seat(ctx, seat)
}
