package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/versions/source"
)

// Builder builds engines from commits, each once.
type Builder struct {
	Mode   string   // of all builds; "" as each engine says
	Pass   []string // see source.Cache
	Apart  bool     // see source.Cache
	Inside bool     // engines start in the folder of their build where the plan names none
	Say    func(text string)

	cache *source.Cache
	built map[string]*source.Built
}

// Build returns the plan with the engines that come from commits built, or taken
// from the cache, and what was built, by the engines' places.
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
				spec.Dir = out[i].Out // so that it reads no other one: the working folder may be anything
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
		if b.Say != nil {
			b.Say(spec.Name + ": " + line)
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
