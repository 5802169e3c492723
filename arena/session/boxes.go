package session

import (
	"cmp"
	"slices"

	"thera/arena"
	"thera/arena/sandbox"
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
