// Package session plays a plan from beginning to end. It builds the engines that come from
// commits, locks the run for this process, puts the engines into their sandboxes, and plays the
// games that are left. Each game is stored before package tournament counts it and the watcher
// gets its event.
//
// The caller opens the store, because a process must not open a database twice: its locks would
// not hold. The package prints nothing; messages for people go to Options.Say, line by line.
// Package tournament decides about the run, and package report makes tables. The package never
// changes a plan; it changes a copy.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/files"
	"thera/arena/match"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/arena/store"
	"thera/arena/versions/source"
)

// Options say how a plan is played. None of them changes its games.
type Options struct {
	Store   *store.Store
	Fresh   bool     // an earlier run of this name is renamed
	Sandbox string   // of all engines; "" leaves it to each engine
	Secret  []string // files that no engine may read, in addition to the database
	Cores   int      // of this machine, 0 if unknown; a plan that needs more gets a warning
	Match   match.Options
	Say     func(text string) // may be nil

	// Watcher receives the events. It is closed after the last one, even if there was none.
	// It may be nil.
	Watcher interface {
		arena.Watcher
		Close() error
	}
	Every int             // see Runner
	Last  context.Context // see Runner; may be nil

	// Workers, if set, opens a host for workers elsewhere. They play beside Slots slots of
	// this process.
	Workers func(*arena.Plan) (Remote, func(), error)
	Slots   int
}

func (o *Options) say(format string, args ...any) {
	if o.Say != nil {
		o.Say(fmt.Sprintf(format, args...))
	}
}

// Unfinished is the error of a run that stopped before its end and can be resumed.
type Unfinished struct {
	Games       int // that are stored
	Interrupted bool
	Err         error
}

func (u *Unfinished) Error() string { return u.Err.Error() }

// Unwrap returns why the run stopped.
func (u *Unfinished) Unwrap() error { return u.Err }

// Play plays what is left of a plan's run. The summary is nil if the run did not begin. The error
// is an *Unfinished if the run can be resumed; then there may be a summary too.
func Play(ctx context.Context, plan *arena.Plan, o Options) (*arena.Summary, error) {
	sum, err := o.play(ctx, plan)
	if o.Watcher != nil {
		err = errors.Join(err, o.Watcher.Close())
	}
	switch {
	case sum != nil && err != nil:
		return sum, unfinished(&sum.Run, err)
	case sum != nil && sum.Run.Played == 0:
		o.say("%s is finished, nothing is left to play: %s", plan.Name, sum.Stop.Text)
	}
	return sum, err
}

func (o *Options) play(ctx context.Context, plan *arena.Plan) (sum *arena.Summary, err error) {
	builder := Builder{Mode: o.Sandbox, Say: o.Say}
	if plan, _, err = builder.Build(ctx, plan); err != nil {
		return nil, err
	}
	release, err := o.Store.Hold(plan.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if o.Fresh {
		kept, err := o.Store.Retire(ctx, plan.Name)
		if err != nil {
			return nil, err
		}
		if kept != "" {
			o.say("the earlier run is kept as %s", kept)
		}
	}
	plan, boxes, err := boxed(plan, o.Sandbox, append(slices.Clone(o.Secret), o.Store.Path()))
	if err != nil {
		return nil, err
	}
	o.say("sandbox: %s", plan.Sandbox)
	o.Match.Boxes = boxes
	plan, absent, err := present(ctx, plan, o.Match)
	if err != nil {
		return nil, err
	}
	r := &Runner{Warnings: absent, Plan: plan, Store: o.Store, Every: o.Every, Last: o.Last}
	if o.Watcher != nil {
		r.Watcher = o.Watcher
	}
	r.Worker = func(slot int) arena.Worker { return match.NewWorker(pinned(plan, slot), o.Match) }
	if o.Workers != nil {
		host, closeHost, err := o.Workers(plan)
		if err != nil {
			return nil, err
		}
		defer closeHost()
		r.Remote, r.Slots = host, o.Slots
	}
	if o.Cores > 0 {
		if text := config.Overload(plan, o.Cores); text != "" {
			r.Warnings = append(r.Warnings, text)
		}
	}
	if slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return e.Memory > 0 }) {
		o.say("memory is limited by %s", proc.MemoryHow())
	}
	return r.Run(ctx)
}

// unfinished returns the error of a run that began.
func unfinished(run *arena.RunInfo, err error) error {
	var (
		stopped *StoppedError
		changed *files.ChangedError
	)
	out := &Unfinished{Games: run.Games, Err: err}
	switch {
	case errors.Is(err, store.ErrGone):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		out.Interrupted = true
	case errors.As(err, &stopped):
	case run.Games == 0:
		return err // because no game was played
	case errors.As(err, &changed): // as if it had changed between two starts of the run
		return &store.ChangedError{Run: run.Name, Games: run.Games, Differences: []string{changed.Error()}}
	}
	return out
}

// boxed returns the sandboxes of a plan's engines and of its rules engine, and the plan with the
// sandbox that this machine has.
func boxed(plan *arena.Plan, mode string, secret []string) (*arena.Plan, map[string]*sandbox.Box, error) {
	in := *plan
	in.Engines = slices.Clone(plan.Engines)
	if mode != "" {
		for i := range in.Engines {
			in.Engines[i].Sandbox = mode
		}
	}
	started := in.Engines
	if program := in.Law.Program(); program != nil {
		program.Sandbox = mode
		started = append(slices.Clone(started), *program)
	}
	if plan.File != "" { // it may have values of env
		secret = slices.Concat(secret, []string{plan.File})
	}
	boxes, report, err := sandbox.Boxes(started, secret...)
	if err != nil {
		return nil, nil, err
	}
	in.Sandbox = cmp.Or(report.String(), sandbox.Off)
	return &in, boxes, nil
}

// pinned returns the plan for the worker of one slot. The processors of an engine are divided among
// the slots, so that no two games share one. If there are fewer processors than slots, slots share
// them in turn.
func pinned(plan *arena.Plan, slot int) *arena.Plan {
	pinned := *plan
	pinned.Engines = slices.Clone(plan.Engines)
	for i := range pinned.Engines {
		e := &pinned.Engines[i]
		if n := len(e.CPUs); n > 0 {
			share := max(n/max(plan.Concurrency, 1), 1)
			from := slot * share % n
			e.CPUs = e.CPUs[from:min(from+share, n)]
		}
	}
	return &pinned
}

// Builder builds engines from commits, each once.
type Builder struct {
	Mode   string   // sandbox of all builds; "" leaves it to each engine
	Pass   []string // see source.Cache
	Apart  bool     // see source.Cache
	Inside bool     // an engine starts in the folder of its build if the plan names none
	Say    func(text string)

	cache *source.Cache
	built map[string]*source.Built
}

// Build builds the engines that come from commits, or takes them from the cache. It returns the
// plan with the built engines, and the builds by the engines' places.
func (b *Builder) Build(ctx context.Context, plan *arena.Plan) (*arena.Plan, []*source.Built, error) {
	built := *plan
	built.Engines = slices.Clone(plan.Engines)
	out := make([]*source.Built, len(built.Engines))
	for i := range built.Engines {
		spec := &built.Engines[i]
		if spec.Git == "" || spec.Out != "" {
			continue
		}
		var err error
		if out[i], err = b.engine(ctx, spec); err == nil {
			if b.Inside && spec.Dir == "" {
				spec.Dir = out[i].Out // because the working folder may be any folder, which it could read
			}
			err = out[i].Apply(spec)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", spec.Name, err)
		}
	}
	return &built, out, nil
}

// engine builds one engine.
func (b *Builder) engine(ctx context.Context, spec *arena.EngineSpec) (*source.Built, error) {
	in := *spec
	in.Sandbox = cmp.Or(b.Mode, in.Sandbox)
	key := fmt.Sprintf("%q", []string{in.Git, in.Ref, in.Fetch, in.Build, in.Bench})
	if built := b.built[key]; built != nil {
		return built, nil
	}
	if b.cache == nil {
		cache, err := source.Open()
		if err != nil {
			return nil, err
		}
		cache.Pass, cache.Apart = b.Pass, b.Apart
		b.cache, b.built = cache, map[string]*source.Built{}
	}
	say := func(line string) {
		if spec.Name != arena.Short(spec.Ref) || !strings.Contains(line, spec.Name) { // a commit is said once
			line = spec.Name + ": " + line
		}
		if b.Say != nil {
			b.Say(line)
		}
	}
	built, err := b.cache.Build(ctx, &in, say)
	if err != nil {
		return nil, err
	}
	how := "from the cache"
	if built.Took > 0 {
		how = fmt.Sprintf("built in %.1f s", built.Took.Seconds())
	}
	say(built.String() + ", " + how)
	switch {
	case built.Signature != "" && built.Announced != "" && built.Signature != built.Announced:
		say(fmt.Sprintf("warning: signature %s, and the commit message announces %s", built.Signature, built.Announced))
	case built.Signature != "":
		say("signature " + built.Signature)
	}
	b.built[key] = built
	return built, nil
}
