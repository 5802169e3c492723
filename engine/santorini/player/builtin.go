package player

import (
	"context"
	"fmt"
	"slices"

	"thera/engine/game"
	"thera/engine/santorini/player/net"
	"thera/engine/santorini/rules"
)

// Builtin is what others may know of the player without its protocol.
type Builtin struct{}

// benchPositions are the positions of the bench: start, middle and end of games of
// basic gods, and a placement.
var benchPositions = []string{
	"0000000000000000000000000/1/mortal:11,13/mortal:7,17",
	"0001000001011001110010100/2/mortal:17,20/mortal:3,16",
	"0000000000001100012000000/1/artemis:7,17/pan:11,13",
	"0010001210012100011000000/2/pan:6,13/hephaestus:7,12",
	"0000011000121002210001100/1/hephaestus:11,18/artemis:7,13",
	"0012401231001220134000112/1/mortal:3,12/artemis:8,16",
	"0000000000000000000000000/1/mortal/pan",
}

const benchDepth = 6

// Signature is the number of nodes of the bench. It is the same on every machine and
// changes with every switch.
func (Builtin) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	return signature(ctx, switches, benchDepth)
}

// signature searches the bench to the given depth.
func signature(ctx context.Context, switches map[string]string, depth int) (int64, error) {
	p := New()
	if err := p.Set("hash", "4"); err != nil {
		return 0, err
	}
	names := make([]string, 0, len(switches))
	for name := range switches {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := p.Set(name, switches[name]); err != nil {
			return 0, fmt.Errorf("santorini: %w", err)
		}
	}
	var nodes int64
	for _, text := range benchPositions {
		pos, _, err := rules.Parse(text)
		if err != nil {
			return 0, fmt.Errorf("santorini: bench position %q: %w", text, err)
		}
		p.NewGame()
		limits := Limits{Depth: depth}
		if pos.Placing() {
			limits.Depth = 2
		}
		nodes += p.Search(ctx, &pos, limits, nil).Nodes
	}
	return nodes, ctx.Err()
}

// judges is whether the net judges openings of these gods: it knows how strong they are,
// and the evaluation by hand does not. Judges stay as they are when the player gets better,
// so that a match file keeps its openings: mortals are still judged by hand.
func judges(at *rules.State) bool {
	return !at.Placing() && net.Judge(at.Gods) != nil
}

// Of 1,138 games from openings that the net judged with 20,000 nodes, the logarithms of the
// odds were 2.0 ± 0.45 times what its scores say.
const netOdds = 2

// Expect is the expected score of the first seat, from 0 to 1, after a search of the
// given number of nodes.
func (Builtin) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	boxed, ok := pos.(*rules.Position)
	if !ok {
		return 0, fmt.Errorf("santorini: %s: a position of another game, or of a god that is not known", pos)
	}
	at := &boxed.State
	if at.Winner != 0 {
		return float64(2 - at.Winner), nil
	}
	p := New()
	p.judging = true
	eval, odds := "hand", 1
	if judges(at) {
		eval, odds = "net", netOdds
	}
	for name, value := range map[string]string{"hash": "4", "eval": eval} {
		if err := p.Set(name, value); err != nil {
			return 0, err
		}
	}
	t := p.Search(ctx, at, Limits{Nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	expect := ExpectedScore(odds * t.Score)
	if at.Mover&1 == 1 {
		expect = 1 - expect
	}
	return expect, nil
}

// CheckOption returns an error if the built-in engine refuses an option.
func (Builtin) CheckOption(name, value string) error { return New().Set(name, value) }

// FullStrength is nil: the engine plays at full strength by default.
func (Builtin) FullStrength() []game.Option { return nil }

// Version is what tests found it to be. With another judge, match files with balanced
// openings get others.
func (Builtin) Version() game.Version {
	return game.Version{
		Signature: 125_345,
		Weights:   "10969f027820c4047c9903d9b7a4e60148dfc553a56077bcb15fb848dcdb07fb",
		Judge:     "b0679f97fe4d1bb1",
		Revision:  1,
	}
}

// Baselines evaluate by hand, so that another net does not change them.
func (Builtin) Baselines() []game.Baseline {
	byHand := []game.Option{{Name: "eval", Value: "hand"}}
	return []game.Baseline{
		{Name: "random", Options: []game.Option{{Name: "random", Value: "1"}}, Nodes: 1, Plays: "9af262d01f8451e1"},
		{Name: "middling", Options: byHand, Nodes: 200, Plays: "ed925490aefd8b25"},
		{Name: "strong", Options: byHand, Nodes: 10_000, Plays: "f9d7615e3d5bd6bc"},
	}
}
