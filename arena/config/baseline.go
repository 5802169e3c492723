package config

import (
	"crypto/sha256"
	"fmt"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// baselines adds an engine for each baseline of the game.
func (r *reader) baselines() {
	on, list := below(r.root, "baselines"), below(r.root, "engines")
	switch {
	case on == nil || on.Value != "true" || r.game == nil || r.player() == nil:
		return
	case list == nil || list.Kind != yaml.SequenceNode:
		return // which is an error elsewhere
	}
	for _, b := range r.player().Baselines() {
		engine := mapping()
		engine.Line, engine.Column = on.Line, on.Column
		put(engine, "name", scalar("baseline "+b.Name))
		put(engine, "baseline", scalar(b.Name))
		list.Content = append(list.Content, engine)
	}
}

// baseline sets up an engine that is a baseline. Its identity is what it plays, so that it
// remains the same engine in a program with a better player.
func (r *reader) baseline(path string, e *arena.EngineSpec) {
	if !r.fits(path, valueOf(e)) || r.game == nil || r.player() == nil {
		return
	}
	var names []string
	for _, b := range r.player().Baselines() {
		if names = append(names, b.Name); b.Name != e.Baseline {
			continue
		}
		r.limit(path+".limit", &e.Limit, false)
		r.protocol(path, e)
		e.Options, e.Limit.Nodes = b.Options, b.Nodes
		r.builtin(path, "", e)
		e.Binary = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s baseline: %s", r.game.Name(), b.Plays)))
		return
	}
	r.bad(path+".baseline", "%s has no baseline %q, %s", r.game.Name(), e.Baseline, hint(e.Baseline, names))
}
