package match

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/engine/game"
)

// Refusal is the error of an engine that cannot play in this run at all: its program is missing, or it
// does not support a god, a size or the kind of limit. The error is in the match file, and is not a
// fault in a game.
type Refusal struct {
	Engine  string
	Err     error
	Instead string // key and value of a kind of limit with which it can play
}

func (r *Refusal) Error() string { return r.Engine + ": " + r.Err.Error() }
func (r *Refusal) Unwrap() error { return r.Err }

// worker plays the games of one slot.
type worker struct {
	plan    *arena.Plan
	opts    Options
	spawner *proc.Spawner
	// players has the players by engine, its arguments for the seat, and the seat if it plays
	// against itself.
	players map[string]*player.Player
	proved  map[string]bool // engines that have moved under their limits
}

// rulesPrefix comes before the name of an engine that is asked for the rules.
const rulesPrefix = "law "

// NewWorker returns a worker that keeps the engines of its last game alive.
func NewWorker(plan *arena.Plan, opts Options) arena.Worker {
	return &worker{plan: plan, opts: opts, players: map[string]*player.Player{}, proved: map[string]bool{}}
}

// Play plays one game.
func (w *worker) Play(ctx context.Context, job arena.Job, start game.Position) (rec *arena.Game, err error) {
	if w.spawner == nil {
		if w.spawner, err = proc.NewSpawner(); err != nil {
			return nil, err
		}
	}
	var players [2]*player.Player
	var limits [2]arena.Limit
	for i := range players {
		seat := game.Seat(i + 1)
		spec := w.plan.Engine(job.Engine(seat))
		if spec == nil {
			return nil, fmt.Errorf("the plan has no engine %q", job.Engine(seat))
		}
		limits[i] = w.plan.LimitOf(spec)
		if players[i], err = w.player(*spec, "", seat, job.Pairing[0] == job.Pairing[1], limits[i]); err != nil {
			return nil, err
		}
	}
	from, keep := start, job.Pairing[:]
	var engines *rulesEngines
	if foreign, ok := from.(game.Foreign); ok {
		if engines, err = w.rulesEngines(job); err != nil {
			return nil, err
		}
		keep = append(keep, arena.Map(engines.players, (*player.Player).Name)...)
		if from, err = engines.begin(ctx, w.plan, job, foreign); err != nil {
			return nil, err
		}
	}
	w.quit(func(p *player.Player) bool { return !slices.Contains(keep, p.Name()) })
	rec = &arena.Game{Job: job, Started: time.Now(), Start: from.String(), Roles: game.RolesOf(w.plan.Game, from)}
	m := New(w.plan.Game, players, limits, w.plan.Adjudicate, game.Begin(from), rec, w.opts)
	m.rules = engines
	for i, p := range players {
		spec := p.Spec()
		m.proved[i] = w.proved[spec.Name]
		if proc.Unenforced != "" && (spec.Memory > 0 || len(spec.CPUs) > 0 || limits[i].CPU > 0) {
			m.warn(i, proc.Unenforced)
		}
	}
	err = m.Begin(ctx)
	for err == nil && !m.over {
		err = m.step(ctx)
	}
	if err == nil {
		err = m.Finish(ctx)
	}
	if err != nil {
		for _, p := range players { // because their state is unknown
			p.Kill()
		}
		return nil, err
	}
	for _, ply := range rec.Plies {
		w.proved[players[ply.Seat.Index()].Name()] = true
	}
	rec.Seconds = time.Since(rec.Started).Seconds()
	w.quit(func(p *player.Player) bool { return p.Spec().Fresh })
	return rec, nil
}

// rulesEngines returns the rules engines of a job.
func (w *worker) rulesEngines(job arena.Job) (*rulesEngines, error) {
	catalog, ok := w.plan.Game.(game.RoleCatalog)
	if !ok {
		return nil, fmt.Errorf("%s has foreign positions and no rules engine", w.plan.Game.Name())
	}
	names := []string{catalog.RulesEngine()}
	if names[0] == game.BothEngines {
		names = slices.Compact(job.Pairing[:])
	}
	r := &rulesEngines{}
	for _, name := range names {
		spec := cmp.Or(w.plan.Engine(name), w.plan.Law.Program())
		if spec == nil {
			return nil, fmt.Errorf("the rules engine %q is not in the plan", name)
		}
		asked := *spec
		asked.Memory, asked.Fresh = cmp.Or(spec.Memory, rulesMemory), false
		p, err := w.player(asked, rulesPrefix, game.First, false, arena.Limit{Start: w.plan.LimitOf(spec).Start, Sync: rulesTime})
		if err != nil {
			return nil, err
		}
		r.players = append(r.players, p)
	}
	return r, nil
}

// player returns the player of an engine in a seat, and makes it if there is none. An engine that plays
// itself needs two processes. as is shown before the engine's name. The player has the sandbox of that
// name, but shares no process with a player that is shown as another.
func (w *worker) player(spec arena.EngineSpec, as string, seat game.Seat, itself bool, limit arena.Limit) (*player.Player, error) {
	name := spec.Name
	dialect, err := Dialect(w.plan.Game, spec.Protocol)
	if err != nil {
		return nil, &Refusal{Engine: name, Err: err}
	}
	key := strings.Join(append([]string{name}, dialect.Args(seat)...), "\x00")
	if itself {
		key += fmt.Sprint("\x00", seat)
	}
	if as != "" {
		key += "\x00" + as
		spec.Name = as + name
	}
	box, known := w.opts.Boxes[name]
	if w.opts.Boxes != nil && !known {
		return nil, fmt.Errorf("engine %q has no sandbox, not even none", name)
	}
	p := w.players[key]
	if p == nil {
		p = player.New(spec, dialect, seat, limit, player.Options{
			Spawner: w.spawner, Box: box, Trace: w.opts.Trace, Machine: w.opts.Machine,
		})
		w.players[key] = p
	}
	return p, nil
}

// quit ends some processes, all at the same time.
func (w *worker) quit(which func(*player.Player) bool) {
	var ends sync.WaitGroup
	for key, p := range w.players {
		if which(p) {
			delete(w.players, key)
			ends.Go(p.Quit)
		}
	}
	ends.Wait()
}

// Dialect returns the dialect of a game with this name. "" and "auto" mean the first.
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
	w.quit(func(*player.Player) bool { return true })
	if w.spawner == nil {
		return nil
	}
	err := w.spawner.Close()
	w.spawner = nil
	return err
}
