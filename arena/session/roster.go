package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/tournament"
)

// present returns the plan without those engines of its folder that cannot play, and why they
// cannot. It lets each play two plies against itself.
func present(ctx context.Context, plan *arena.Plan, o match.Options) (*arena.Plan, []string, error) {
	if plan.Roster == nil {
		return plan, nil, nil
	}
	var tries sync.WaitGroup
	turn := make(chan struct{}, max(1, plan.Concurrency))
	faults, failed := make([]string, len(plan.Engines)), make([]error, len(plan.Engines))
	for i, e := range plan.Engines {
		if e.Entry == "" { // the match file names it itself
			continue
		}
		tries.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			faults[i], failed[i] = try(ctx, plan, &e, o)
		})
	}
	tries.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, nil, err
	}
	in, out := *plan, slices.Clone(plan.Roster.Out)
	in.Engines = nil
	for i, e := range plan.Engines {
		if faults[i] == "" {
			in.Engines = append(in.Engines, e)
		} else {
			out = append(out, arena.LeftOut{Entry: e.Entry, Why: faults[i]})
		}
	}
	slices.SortFunc(out, func(a, b arena.LeftOut) int { return strings.Compare(a.Entry, b.Entry) })
	in.Roster = &arena.Roster{Out: out}
	var lines []string
	for _, o := range out {
		lines = append(lines, fmt.Sprintf("%s is left out: %s", o.Entry, o.Why))
	}
	switch {
	case len(lines) > 0 && plan.Roster.Stop:
		return nil, nil, fmt.Errorf("nothing starts, because engines of the folder cannot play\n%s", strings.Join(lines, "\n"))
	case len(in.Engines) < 2:
		return nil, nil, fmt.Errorf("%s to play, expected two or more\n%s", arena.Plural(len(in.Engines), "engine"), strings.Join(lines, "\n"))
	}
	return &in, lines, nil
}

// try returns why an engine cannot play, "" if it can.
func try(ctx context.Context, plan *arena.Plan, e *arena.EngineSpec, o match.Options) (fault string, err error) {
	short := *plan
	short.Adjudicate = arena.Adjudication{MaxPlies: 2}
	worker := match.NewWorker(&short, o)
	defer func() { err = errors.Join(err, worker.Close()) }()
	job := tournament.JobOf(plan, plan.Identity([2]string{e.Name, e.Name}), 0, 0)
	start, err := tournament.Make(ctx, plan, job)
	if err != nil {
		return "", err
	}
	g, err := worker.Play(ctx, job, start)
	var refused *match.Refusal
	switch {
	case errors.As(err, &refused):
		return refused.Err.Error(), nil
	case err != nil:
		return "", err
	case g.Source != arena.Faulted:
		return "", nil
	}
	fault = g.Fault.Error()
	if said := strings.TrimSpace(cmp.Or(g.Stderr[0], g.Stderr[1])); said != "" {
		fault += ": " + said[strings.LastIndexByte(said, '\n')+1:]
	}
	return fault, nil
}
