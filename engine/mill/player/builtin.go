package player

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"thera/engine/game"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// Builtin is what others may know of the player without its protocol.
type Builtin struct{}

// benchDepth is the depth of the bench signature.
const benchDepth = 11

// benchPositions returns quiet and tactical positions of all phases.
func benchPositions() []string {
	return []string{
		rules.StartFEN,
		"**O*****/****O***/******@@ w p p 2 7 2 7 0 0 0 0 0 0 0 0 3",
		"*@**@@*O/OO**@OOO/******** w p r 6 3 4 4 1 0 0 0 0 0 0 0 7",
		"O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14",
		"*****O*O/OO****OO/@*@**@@@ b m s 6 0 5 0 0 0 0 0 0 0 0 2 18",
		"@@@*@*@*/@O*@O@**/O****O@* w m s 4 0 9 0 0 0 0 0 0 0 0 30 85",
		"***@**O@/**@**@@*/**O*O*@* b m s 3 0 6 0 0 0 0 0 0 0 0 3 40",
	}
}

// strongSettings returns the options of signature and estimate.
func strongSettings(hash int) Settings {
	set := DefaultSettings()
	set.Skill, set.Algorithm, set.Hash = FullStrength, PVS, hash
	return set
}

// Signature returns the number of nodes that the player needs for the bench
// positions. Switches are options of the engine, and heuristics of the search by
// name with 0 or 1.
func (Builtin) Signature(ctx context.Context, switches map[string]string) (nodes int64, err error) {
	set := strongSettings(16)
	var off search.Feature
	for name, value := range switches {
		feature, unknown := search.FeatureOf(name)
		if unknown != nil {
			if err := set.SetOption("name " + name + " value " + value); err != nil {
				return 0, fmt.Errorf("%w; heuristics are %v", err, search.All.Names())
			}
			continue
		}
		on, err := strconv.ParseBool(value)
		if err != nil {
			return 0, fmt.Errorf("switch %s=%s: want 0 or 1", name, value)
		}
		off = off.With(feature, !on)
	}
	for _, fen := range benchPositions() {
		pos, err := rules.Parse(rules.Default(), fen)
		if err != nil {
			return 0, err
		}
		p := New()
		p.Off = off
		nodes += p.Think(ctx, pos, &set.Options, &Goal{Depth: benchDepth}, nil).Nodes
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return nodes, nil
}

// logisticScale is the score, in hundredths of a man, with a chance of 73 %.
const logisticScale = 100

// Expect estimates the first seat's score with a search of about that many nodes. It
// evaluates by hand, also when the player gets stronger, so that the same file and seed
// give the same openings.
func (Builtin) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, err := rules.Of(pos)
	if err != nil {
		return 0, err
	}
	if outcome, over := p.Outcome(); over {
		return [...]float64{0.5, 1, 0}[outcome.Winner], nil
	}
	set := strongSettings(4)
	set.Options.Net, set.Options.Endings = false, false
	result := New().Think(ctx, p, &set.Options, &Goal{Nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	chance := 1 / (1 + math.Exp(-float64(result.Score)/logisticScale))
	if p.State().Turn == rules.Black {
		chance = 1 - chance
	}
	return chance, nil
}

// Version is what tests found it to be. With another judge, match files with balanced
// openings get others.
func (Builtin) Version() game.Version {
	return game.Version{
		Signature: 386_122,
		Weights:   "ba361c168ca2eb97d77154b4e3a22d5adc257a731f6f8573652f0504eb6d8827",
		Judge:     "ddeb997a9704d532",
		Revision:  2,
	}
}

// Baselines evaluate by hand, so that another net does not change them.
func (Builtin) Baselines() []game.Baseline {
	byHand := append(Builtin{}.FullStrength(), game.Option{Name: "Net", Value: "false"})
	return []game.Baseline{
		{Name: "random", Options: []game.Option{{Name: "Random", Value: "true"}}, Nodes: 1, Plays: "ea1d65e0b60c6e06"},
		{Name: "middling", Options: byHand, Nodes: 200, Plays: "027d8894a1b25cd1"},
		{Name: "strong", Options: byHand, Nodes: 10_000, Plays: "f9c8ef148bc464f7"},
	}
}
