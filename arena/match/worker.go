package match

import (
	"context"
	"fmt"
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
	opts    Options
	spawner *proc.Spawner
	players map[process]*player.Player
}

// process is an engine in one use.
type process struct {
	engine string
	use    string // its arguments for the seat, and the seat where it plays against itself
}

// lawName is before the name of an engine that is asked for the rules.
const lawName = "law "

// NewWorker is a worker that keeps the engines of its last game alive.
func NewWorker(plan *arena.Plan, _ int, opts Options) arena.Worker {
	return &worker{plan: plan, opts: opts, players: map[process]*player.Player{}}
}

// Play plays one game.
func (w *worker) Play(ctx context.Context, job arena.Job, start arena.Opening) (rec *arena.Game, err error) {
	if w.spawner == nil {
		if w.spawner, err = proc.NewSpawner(); err != nil {
			return nil, err
		}
	}
	var players [2]*player.Player
	var limits [2]arena.Limit
	keep := map[string]bool{}
	for i := range players {
		seat := game.Seat(i + 1)
		if players[i], err = w.player(job.Engine(seat), seat, job.Pairing[0] == job.Pairing[1], keep); err != nil {
			return nil, err
		}
		limits[i] = w.plan.LimitOf(players[i].Spec())
	}
	from := start.Position
	var l *law
	if foreign, ok := from.(game.Foreign); ok {
		if l, err = w.law(job, keep); err != nil {
			return nil, err
		}
		if from, err = l.begin(ctx, w.plan, job, foreign); err != nil {
			return nil, err
		}
	}
	w.quit(func(p process) bool { return !keep[p.engine] })
	rec = &arena.Game{Job: job, Started: time.Now(), Start: from.String()}
	if catalog, ok := w.plan.Game.(game.RoleCatalog); ok {
		rec.Roles = catalog.RolesIn(from)
	}
	m := New(w.plan.Game, players, limits, w.plan.Adjudicate, from, rec, w.opts)
	m.law = l
	m.unenforced(proc.Unenforced)
	if err := m.toTheEnd(ctx); err != nil {
		for _, p := range players { // their state is unknown
			p.Kill()
		}
		return nil, err
	}
	rec.Seconds = time.Since(rec.Started).Seconds()
	w.quit(func(p process) bool { return w.plan.Engine(p.engine) != nil && w.plan.Engine(p.engine).Fresh })
	return rec, nil
}

// toTheEnd plays a whole game.
func (m *Match) toTheEnd(ctx context.Context) error {
	err := m.Begin(ctx)
	for over := m.verdict != nil; err == nil && !over; {
		over, err = m.Step(ctx)
	}
	if err != nil {
		return err
	}
	return m.Finish(ctx)
}

// unenforced warns about limits that this operating system cannot enforce;
// text is "" if it enforces all.
func (m *Match) unenforced(text string) {
	for i, p := range m.players {
		if spec := p.Spec(); text != "" && (spec.Memory > 0 || len(spec.CPUs) > 0 || m.limits[i].CPU > 0) {
			m.warn(i, text)
		}
	}
}

// player is the player of an engine in seat. One against itself needs two processes.
func (w *worker) player(name string, seat game.Seat, itself bool, keep map[string]bool) (*player.Player, error) {
	spec := w.plan.Engine(name)
	if spec == nil {
		return nil, fmt.Errorf("the plan has no engine %q", name)
	}
	dialect, err := Dialect(w.plan.Game, spec.Protocol)
	if err != nil {
		return nil, &Refusal{Engine: name, Err: err}
	}
	keep[name] = true
	key := process{name, strings.Join(dialect.Args(seat), "\x00")}
	if itself {
		key.use += fmt.Sprint("\x00", seat)
	}
	return w.process(key, *spec, dialect, seat, w.plan.LimitOf(spec)), nil
}

// law is that of a job: both engines, or the one that the game names.
func (w *worker) law(job arena.Job, keep map[string]bool) (*law, error) {
	catalog, ok := w.plan.Game.(game.RoleCatalog)
	if !ok {
		return nil, fmt.Errorf("%s has foreign positions and no law", w.plan.Game.Name())
	}
	names := []string{catalog.Law()}
	if names[0] == game.LawBoth {
		names = job.Pairing[:]
		if names[0] == names[1] {
			names = names[:1]
		}
	}
	l := &law{}
	for _, name := range names {
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
		asked := *spec
		asked.Name = lawName + spec.Name
		if asked.Memory == 0 {
			asked.Memory = lawMemory
		}
		keep[asked.Name] = true
		limit := arena.Limit{Start: w.plan.LimitOf(spec).Start, Sync: lawTime}
		l.players = append(l.players, w.process(process{asked.Name, ""}, asked, dialect, game.First, limit))
	}
	return l, nil
}

// process is the player of a key, which is made if there is none.
func (w *worker) process(key process, spec arena.EngineSpec, dialect game.Dialect, seat game.Seat, limit arena.Limit) *player.Player {
	p := w.players[key]
	if p == nil {
		box := w.opts.Boxes[strings.TrimPrefix(spec.Name, lawName)]
		p = player.New(spec, dialect, seat, limit, player.Options{Spawner: w.spawner, Box: box, Trace: w.opts.Trace, Machine: w.opts.Machine})
		w.players[key] = p
	}
	return p
}

// quit ends some processes, at the same time.
func (w *worker) quit(which func(process) bool) {
	var ends sync.WaitGroup
	for key, p := range w.players {
		if which(key) {
			delete(w.players, key)
			ends.Go(func() { p.Quit() })
		}
	}
	ends.Wait()
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

// Close ends all engines.
func (w *worker) Close() error {
	w.quit(func(process) bool { return true })
	if w.spawner == nil {
		return nil
	}
	err := w.spawner.Close()
	w.spawner = nil
	return err
}
