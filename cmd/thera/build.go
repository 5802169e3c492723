package main

import (
	"context"
	"fmt"
	"io"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/source"
)

// buildEngines builds the plan's engines that come from commits, or takes them
// from the cache.
func buildEngines(ctx context.Context, plan *arena.Plan, errOut io.Writer) error {
	var cache *source.Cache
	for i := range plan.Engines {
		spec := &plan.Engines[i]
		if spec.Git == "" || spec.Out != "" {
			continue
		}
		if cache == nil {
			var err error
			if cache, err = source.Open(""); err != nil {
				return err
			}
		}
		if _, err := buildEngine(ctx, cache, spec, errOut); err != nil {
			return err
		}
	}
	return nil
}

// buildEngine builds one engine and makes its entry in the plan start it.
func buildEngine(ctx context.Context, cache *source.Cache, spec *arena.EngineSpec, errOut io.Writer) (*source.Built, error) {
	say := func(line string) { fmt.Fprintln(errOut, report.Printable(spec.Name+": "+line)) }
	built, err := cache.Build(ctx, source.RecipeOf(spec), say)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	if err := built.Apply(spec); err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	how := "from the cache"
	if !built.Cached {
		how = fmt.Sprintf("built in %.1f s", built.Took.Seconds())
	}
	say(built.String() + ", " + how)
	switch {
	case built.Signature != "" && built.Announced != "" && built.Signature != built.Announced:
		say(fmt.Sprintf("warning: signature %s, and the commit message announces %s", built.Signature, built.Announced))
	case built.Signature != "":
		say("signature " + built.Signature)
	}
	return built, nil
}
