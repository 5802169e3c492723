package session

import (
	"cmp"
	"context"
	"slices"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// boxed returns the sandboxes of a plan's engines and of its rules engine, and the plan with what
// holds on this machine.
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
		secret = append(slices.Clone(secret), plan.File)
	}
	boxes, report, err := sandbox.Boxes(started, secret...)
	if err != nil {
		return nil, nil, err
	}
	in.Sandbox = cmp.Or(report.String(), sandbox.Off)
	return &in, boxes, nil
}

// Refuser starts the programs among a plan's engines once with further options. It
// returns the first engine that does not become ready, and why; "" if all do.
func Refuser(ctx context.Context, plan *arena.Plan, mode string, options []game.Option) (engine string, why, err error) {
	plan, boxes, err := boxed(plan, mode, nil)
	if err != nil {
		return "", nil, err
	}
	for i := range plan.Engines {
		spec := &plan.Engines[i]
		if spec.Builtin {
			continue
		}
		if why := starts(ctx, plan, spec, options, boxes[spec.Name]); why != nil {
			return spec.Name, why, ctx.Err()
		}
	}
	return "", nil, nil
}

// starts starts an engine once with further options, and returns why it does not become
// ready.
func starts(ctx context.Context, plan *arena.Plan, spec *arena.EngineSpec, options []game.Option, box *sandbox.Box) error {
	dialect, err := match.Dialect(plan.Game, spec.Protocol)
	if err != nil {
		return err
	}
	start, err := plan.Game.Start(0, plan.Seed)
	if err != nil {
		return err
	}
	spawner, err := proc.NewSpawner()
	if err != nil {
		return err
	}
	defer spawner.Close()
	with := *spec
	with.Options = slices.Concat(options, spec.Options)
	p := player.New(with, dialect, game.First, plan.LimitOf(spec), player.Options{Spawner: spawner, Box: box})
	defer p.Kill()
	return p.Start(ctx, start)
}

// pinned is the plan for the worker of one slot. The processors of an engine are
// divided among the slots, so that no two games share one. If there are fewer
// processors than slots, the slots take turns.
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
