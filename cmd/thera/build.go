package main

import (
	"context"
	"fmt"
	"io"

	"thera/arena"
	"thera/arena/sandbox"
	"thera/arena/source"
)

// build builds the plan's engines that come from commits, or takes them from the
// cache.
func (o *playOptions) build(ctx context.Context, plan *arena.Plan, errOut io.Writer) error {
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
		if _, err := buildEngine(ctx, cache, spec, o.sandbox, errOut); err != nil {
			return err
		}
	}
	return nil
}

// buildEngine builds one engine and makes its entry in the plan start it. mode
// replaces its sandbox unless it is "".
func buildEngine(ctx context.Context, cache *source.Cache, spec *arena.EngineSpec, mode string, errOut io.Writer) (*source.Built, error) {
	say := func(line string) { tell(errOut, "%s: %s", spec.Name, line) }
	recipe := source.RecipeOf(spec)
	if mode != "" {
		if err := checkMode(mode); err != nil {
			return nil, err
		}
		recipe.Mode = sandbox.Mode(mode)
	}
	built, err := cache.Build(ctx, recipe, say)
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
