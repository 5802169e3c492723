package player

import (
	"context"
	"errors"

	"thera/engine/game"
)

// undecided is a dialect of engines that may speak another one.
type undecided interface {
	// Instead are the dialects to try, in order, with an engine that had that fault before
	// its first answer.
	Instead(fault *game.Fault) []game.Dialect
}

// Unfit is an engine that cannot play this game at all, as its dialect shows that was found
// only after its start.
type Unfit struct{ error }

func (u *Unfit) Unwrap() error { return u.error }

// redial starts an engine again after err, in the first dialect in which it begins the game,
// and reports whether it has: else all is as it was, but for the process, which is gone.
func (p *Player) redial(ctx context.Context, at *game.History, err error) (again bool, instead error) {
	fault, _ := errors.AsType[*game.Fault](err)
	open, ok := p.dialect.(undecided)
	if !ok || fault == nil || p.moved || ctx.Err() != nil {
		return false, nil
	}
	was := *p
	for _, p.dialect = range open.Instead(fault) {
		err := p.Start(ctx, at.Start().Position)
		if err == nil {
			err = p.Fits(at.Position)
		}
		switch {
		case ctx.Err() != nil:
			return true, ctx.Err()
		case err == nil:
			return true, p.begin(ctx, at)
		case !errors.As(err, new(*game.Fault)):
			return true, &Unfit{err}
		}
	}
	p.Kill()
	was.session = nil
	*p = was
	return false, nil
}
