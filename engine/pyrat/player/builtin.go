package player

import (
	"context"
	"fmt"
	"strconv"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/pyrat/rules"
)

// Builtin is what others may know of the player without its protocol.
type Builtin struct{}

// Expect is game.ErrNoJudge: both sides move at once, and a position alone says little.
func (Builtin) Expect(context.Context, game.Position, int64) (float64, error) {
	return 0, game.ErrNoJudge
}

// signature plays three fixed mazes against Greedy. It returns the number of
// nodes that all searches made plus the number of turns, which changes with the
// play. The playouts must be limited.
func signature(ctx context.Context, settings rules.Settings, options Options) (int64, error) {
	var nodes int64
	for seed, name := range []string{"tiny", "small", "medium"} {
		plan, _ := rules.Preset(name)
		pos, err := plan.Generate(uint64(seed), settings)
		if err != nil {
			return 0, err
		}
		rat, python := New(pos.Board(), options), New(pos.Board(), Options{Strategy: Greedy})
		for pos.ToMove() != 0 {
			pos = pos.After(rat.Think(ctx, pos, 0, 0, nil).Move, python.Think(ctx, pos, 1, 0, nil).Move)
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		nodes += rat.tree.grown + int64(pos.State().Turn)
	}
	return nodes, nil
}

// Signature plays fixed mazes with the built-in player and counts the nodes of
// its trees. The switches are engine options; Playouts is 500 unless given.
func (Builtin) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	o := Options{Strategy: Search, Depth: DefaultDepth, Playouts: 500}
	for name, value := range switches {
		n, err := strconv.Atoi(value)
		switch {
		case name == "Strategy" && (value == Greedy || value == Search):
			o.Strategy = value
		case name == "SearchDepth" && err == nil && n >= 1 && n <= MaxDepth:
			o.Depth = n
		case name == "Playouts" && err == nil && n >= 1 && n <= MaxPlayouts:
			o.Playouts = n
		default:
			return 0, fmt.Errorf("option %s: %q cannot be set", name, value)
		}
	}
	return signature(ctx, rules.Default(), o)
}

// Listed are the options of the built-in engine.
func Listed() *protocol.Options {
	var list protocol.Options
	list.Add(protocol.ListedOption{
		Name: "Strategy", Kind: protocol.Combo, Default: Search, Choices: []string{Random, Greedy, Search},
	})
	list.Add(protocol.ListedOption{Name: "SearchDepth", Kind: protocol.Spin, Default: strconv.Itoa(DefaultDepth), Bounded: true, Min: 1, Max: MaxDepth})
	list.Add(protocol.ListedOption{
		Name: "Playouts", Kind: protocol.Spin, Default: "0", Bounded: true, Max: MaxPlayouts,
	})
	list.Add(protocol.ListedOption{Name: "Depth", Kind: protocol.Spin, Default: "0", Bounded: true, Max: MaxDepth})
	list.Add(protocol.ListedOption{Name: "Plain", Kind: protocol.Check, Default: "false"})
	list.Add(protocol.ListedOption{Name: "Debug", Kind: protocol.Check, Default: "false"})
	return &list
}

// CheckOption returns what is wrong with an option of the built-in engine.
func (Builtin) CheckOption(name, value string) error {
	list := Listed()
	o := list.Find(name)
	if o == nil {
		return list.Unlisted(name)
	}
	return o.Check(value)
}

// FullStrength is nil: the engine plays at full strength by default.
func (Builtin) FullStrength() []game.Option { return nil }

// Version is what tests found it to be.
func (Builtin) Version() game.Version {
	return game.Version{
		Signature: 75_441,
		Revision:  1,
	}
}

// Baselines evaluate nothing that was learned.
func (Builtin) Baselines() []game.Baseline {
	plays := func(strategy string) []game.Option { return []game.Option{{Name: "Strategy", Value: strategy}} }
	return []game.Baseline{
		{Name: "random", Options: plays(Random), Nodes: 1, Plays: "591ec5b4745dc3b1"},
		{Name: "middling", Options: plays(Greedy), Nodes: 1, Plays: "fcb258633ecf5743"},
		{Name: "strong", Options: []game.Option{{Name: "Plain", Value: "true"}}, Nodes: 500, Plays: "7c43a16ddeab3de4"},
	}
}
