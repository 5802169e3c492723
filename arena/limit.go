package arena

import "time"

// Kinds are the names of the limits that are set, of move, clock, cpu, depth
// and nodes. A checked limit has exactly one.
func (l Limit) Kinds() []string {
	var kinds []string
	for _, k := range []struct {
		name string
		set  bool
	}{
		{"move", l.Move > 0},
		{"clock", l.Clock > 0 || l.Increment > 0},
		{"cpu", l.CPU > 0},
		{"depth", l.Depth > 0},
		{"nodes", l.Nodes > 0},
	} {
		if k.set {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// With is l with what over sets. A kind of limit replaces the other kinds: an
// engine with depth 3 in a run of 200ms moves has no move time.
func (l Limit) With(over Limit) Limit {
	if len(over.Kinds()) > 0 {
		l.Move, l.Clock, l.Increment, l.CPU = over.Move, over.Clock, over.Increment, over.CPU
		l.Depth, l.Nodes = over.Depth, over.Nodes
	}
	for _, d := range []struct{ to, from *time.Duration }{
		{&l.MaxMove, &over.MaxMove}, {&l.Grace, &over.Grace}, {&l.Start, &over.Start}, {&l.Sync, &over.Sync},
	} {
		if *d.from > 0 {
			*d.to = *d.from
		}
	}
	return l
}

// LimitOf is the limit of one engine of the plan.
func (p *Plan) LimitOf(spec *EngineSpec) Limit { return p.Limit.With(spec.Limit) }

// Engine is the engine of that name, nil if the plan has none.
func (p *Plan) Engine(name string) *EngineSpec {
	for i := range p.Engines {
		if p.Engines[i].Name == name {
			return &p.Engines[i]
		}
	}
	return nil
}
