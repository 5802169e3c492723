package match

import (
	"context"
	"fmt"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/tournament"
	"thera/engine/game"
)

// govern returns the law of a job and the position from which its game starts: start
// itself, unless it is foreign. The law's engines stay alive for the next game.
func (w *worker) govern(ctx context.Context, job arena.Job, start game.Position) (*law, game.Position, error) {
	from, foreign := start.(game.Foreign)
	if !foreign {
		return nil, start, nil
	}
	l, err := w.law(job)
	if err != nil {
		return nil, nil, err
	}
	pos, err := w.begin(ctx, l, job, from)
	return l, pos, err
}

// begin is from with what the plan's openings add. Where an engine does not know how
// the players choose what is before the first move, the lot does.
func (w *worker) begin(ctx context.Context, l *law, job arena.Job, from game.Foreign) (game.Position, error) {
	if err := l.ask(ctx, from); err != nil {
		return nil, err
	}
	if l.unlisted() >= 0 || l.empty() {
		if lot := from.ByLot(job.Seed); lot != nil {
			from = lot
			if err := l.ask(ctx, from); err != nil {
				return nil, err
			}
		}
	}
	if at := l.unlisted(); at >= 0 {
		return nil, &Refusal{Engine: l.players[at].Name(), Err: fmt.Errorf("it gives no list of the moves of %s: %w", from, l.answers[at].fault)}
	}
	return tournament.Wander(ctx, w.plan, job, from, l.lists)
}

// law is that of a job: both engines, or the one that the game names. Engines that
// it does not need are ended.
func (w *worker) law(job arena.Job) (*law, error) {
	catalog, ok := w.plan.Game.(game.RoleCatalog)
	if !ok {
		return nil, fmt.Errorf("%s has foreign positions and no law", w.plan.Game.Name())
	}
	names := []string{catalog.Law()}
	if names[0] == game.LawBoth {
		names = job.Pairing[:1]
		if job.Pairing[1] != names[0] {
			names = job.Pairing[:]
		}
	}
	l, keep := &law{}, map[string]bool{}
	for _, name := range names {
		p, err := w.lawPlayer(name)
		if err != nil {
			return nil, err
		}
		keep[name] = true
		l.players = append(l.players, p)
	}
	for name, p := range w.laws {
		if !keep[name] {
			p.Quit()
			delete(w.laws, name)
		}
	}
	return l, nil
}

func (w *worker) lawPlayer(name string) (*player.Player, error) {
	if p := w.laws[name]; p != nil {
		return p, nil
	}
	spec := w.plan.Engine(name)
	if spec == nil {
		if spec = w.plan.Law.Program(); spec == nil {
			return nil, fmt.Errorf("the law %q is not an engine of the plan", name)
		}
	}
	dialect, err := Dialect(w.plan.Game, spec.Protocol)
	if err != nil {
		return nil, &Refusal{Engine: name, Err: err}
	}
	p := lawPlayer(*spec, dialect, w.plan.LimitOf(spec), player.Options{Spawner: w.spawner, Box: w.opts.Boxes[spec.Name], Trace: w.opts.Trace})
	w.laws[name] = p
	return p, nil
}
