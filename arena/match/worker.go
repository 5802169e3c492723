package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
)

// Refusal is an engine that cannot play in this run at all: its program is
// missing, it does not support a god, a size or the kind of limit. It is an
// error in the match file, not a fault in a game.
type Refusal struct {
	Engine string
	Err    error
}

func (r *Refusal) Error() string { return r.Engine + ": " + r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// worker plays the games of one slot.
type worker struct {
	plan    *arena.Plan
	slot    int
	opts    Options
	spawner *proc.Spawner
	players map[string]*player.Player // by engine and its arguments for the seat
	laws    map[string]*player.Player // engines asked for the rules, by name
}

// NewWorker is a worker that keeps the engines of its last game alive.
func NewWorker(plan *arena.Plan, slot int, opts Options) arena.Worker {
	return &worker{plan: plan, slot: slot, opts: opts, players: map[string]*player.Player{}, laws: map[string]*player.Player{}}
}

// Play plays one game.
func (w *worker) Play(ctx context.Context, job arena.Job, start arena.Opening) (*arena.Game, error) {
	if w.spawner == nil {
		var err error
		if w.spawner, err = proc.NewSpawner(); err != nil {
			return nil, err
		}
	}
	players, err := w.seats(job)
	if err != nil {
		return nil, err
	}
	law, from, err := w.govern(ctx, job, start.Position)
	if err != nil {
		return nil, err
	}
	rec := &arena.Game{Job: job, Started: time.Now(), Start: from.String()}
	if catalog, ok := w.plan.Game.(game.RoleCatalog); ok {
		rec.Roles = catalog.RolesIn(from)
	}
	var limits [2]arena.Limit
	for i, p := range players {
		limits[i] = w.plan.LimitOf(p.Spec())
	}
	m := New(w.plan.Game, players, limits, w.plan.Adjudicate, from, rec, w.opts)
	m.law = law
	m.unenforced(proc.Unenforced)
	if err := w.play(ctx, m, from); err != nil {
		for _, p := range players { // their state is unknown
			p.Kill()
		}
		return nil, err
	}
	rec.Seconds = time.Since(rec.Started).Seconds()
	w.retire(players)
	return rec, nil
}

// unenforced warns about limits that this operating system cannot enforce;
// text is "" if it enforces all.
func (m *Match) unenforced(text string) {
	for i, p := range m.players {
		if spec := p.Spec(); text != "" && (spec.Memory > 0 || len(spec.CPUs) > 0 || m.limits[i].CPU > 0) {
			m.rec.Warnings = append(m.rec.Warnings, p.Name()+": "+text)
		}
	}
}

// play starts engines that are not running and plays the game to its end.
func (w *worker) play(ctx context.Context, m *Match, pos game.Position) error {
	for i, p := range m.players {
		m.kept[i] = p.Alive()
		if pr := p.Process(); pr != nil && !m.kept[i] {
			if exit, over := pr.Exited(); over && p.Conn().Fault() == nil {
				m.rec.Warnings = append(m.rec.Warnings, endedBetween(p.Name(), exit.String()))
			}
		}
	}
	running := m.kept[0] && m.kept[1]
	err := m.each(!running, func(seat game.Seat) error {
		p := m.players[seat.Index()]
		if m.kept[seat.Index()] {
			return nil
		}
		return p.Start(ctx, pos)
	})
	if err != nil {
		if refused := m.refused(err); refused != nil && ctx.Err() == nil {
			return refused
		}
		if err := m.judgeFaults(ctx, err); err != nil {
			return err
		}
		return m.Finish(ctx)
	}
	for i, p := range m.players {
		if err := p.Fits(pos); err != nil {
			return &Refusal{Engine: p.Name(), Err: err}
		}
		if m.limits[i].Nodes > 0 && !p.Info().Limits.Nodes {
			return &Refusal{Engine: p.Name(), Err: errors.New("the limit is nodes, and this engine does not say that it knows such limits (hint: use move, clock, cpu or depth)")}
		}
	}
	if m.opts.Begun != nil {
		m.opts.Begun(&m.rec.Job, m.players)
	}
	if err := m.Begin(ctx); err != nil {
		return err
	}
	for over := m.verdict != nil; !over; {
		if over, err = m.Step(ctx); err != nil {
			return err
		}
	}
	return m.Finish(ctx)
}

// refused is the Refusal among the start errors, nil if an engine is at fault.
// A missing program and a refused option are Refusals.
func (m *Match) refused(err error) error {
	var errs *faults
	if !errors.As(err, &errs) {
		return nil
	}
	for i, err := range errs {
		var fault *game.Fault
		if err != nil && !errors.As(err, &fault) {
			return &Refusal{Engine: m.players[i].Name(), Err: err}
		}
	}
	return nil
}

// seats returns the players of a job by seat and ends those that it does not
// need.
func (w *worker) seats(job arena.Job) ([2]*player.Player, error) {
	var players [2]*player.Player
	keep := map[string]bool{}
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		name := job.Engine(seat)
		keep[name] = true
		spec := w.plan.Engine(name)
		if spec == nil {
			return players, fmt.Errorf("job %s: the plan has no engine %q", job.ID, name)
		}
		dialect, err := Dialect(w.plan.Game, spec.Protocol)
		if err != nil {
			return players, &Refusal{Engine: name, Err: err}
		}
		args := dialect.Args(seat)
		key := name + "\x00" + strings.Join(args, "\x00")
		if job.Pairing[0] == job.Pairing[1] { // an engine against itself needs two processes
			key += "\x00" + strconv.Itoa(int(seat))
		}
		p := w.players[key]
		if p == nil {
			p = player.New(*spec, dialect, args, w.plan.LimitOf(spec), player.Options{Spawner: w.spawner, Box: w.opts.Boxes[name], Trace: w.opts.Trace, Machine: w.opts.Machine})
			w.players[key] = p
		}
		players[seat.Index()] = p
	}
	for key, p := range w.players {
		if name, _, _ := strings.Cut(key, "\x00"); !keep[name] {
			p.Quit()
			delete(w.players, key)
		}
	}
	return players, nil
}

// Dialect finds a game's dialect by name; "" and "auto" mean the first.
func Dialect(g game.Game, name string) (game.Dialect, error) {
	var names []string
	for _, d := range g.Dialects() {
		if name == "" || name == "auto" || name == d.Name() {
			return d, nil
		}
		names = append(names, d.Name())
	}
	return nil, fmt.Errorf("%s has no protocol %q (known: auto, %s)", g.Name(), name, strings.Join(names, ", "))
}

// retire ends the engines that need a new process for every game.
func (w *worker) retire(players [2]*player.Player) {
	var ends sync.WaitGroup
	for _, p := range players {
		if p.Spec().Fresh {
			ends.Go(func() { p.Quit() })
		}
	}
	ends.Wait()
}

// Close ends all engines.
func (w *worker) Close() error {
	var ends sync.WaitGroup
	for _, players := range [2]map[string]*player.Player{w.players, w.laws} {
		for _, p := range players {
			ends.Go(func() { p.Quit() })
		}
	}
	ends.Wait()
	clear(w.players)
	clear(w.laws)
	if w.spawner == nil {
		return nil
	}
	err := w.spawner.Close()
	w.spawner = nil
	return err
}
