package santorini

import (
	"context"
	"fmt"
	"math"
	"slices"

	"thera/engine/game"
)

// benchPositions are what the bench signature is counted on: start, middle and
// end of games of the four first gods, and a placement.
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

// Signature is the number of nodes of the bench: the same on every machine,
// another one with any switch changed.
func (*Game) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	return signature(ctx, switches, benchDepth)
}

func signature(ctx context.Context, switches map[string]string, most int) (int64, error) {
	p := newPlayer()
	if err := p.set("hash", "4"); err != nil {
		return 0, err
	}
	names := make([]string, 0, len(switches))
	for name := range switches {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := p.set(name, switches[name]); err != nil {
			return 0, fmt.Errorf("santorini: %w", err)
		}
	}
	var nodes int64
	for _, text := range benchPositions {
		pos, _, err := parse(text)
		if err != nil {
			return 0, fmt.Errorf("santorini: bench position %q: %w", text, err)
		}
		p.newGame()
		depth := most
		if pos.placing() {
			depth = 2
		}
		nodes += p.search(ctx, &pos, thinkLimits{Depth: depth}, nil).nodes
	}
	return nodes, ctx.Err()
}

// Expect is the expected score of the first seat after a search of so many
// nodes.
func (*Game) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	boxed, ok := pos.(*position)
	if !ok {
		return 0, fmt.Errorf("santorini: a position of another game: %T", pos)
	}
	at := &boxed.state
	if at.winner != 0 {
		return float64(2 - at.winner), nil
	}
	p := newPlayer()
	if err := p.set("hash", "4"); err != nil {
		return 0, err
	}
	t := p.search(ctx, at, thinkLimits{Nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	expect := chance(t.score)
	if at.mover&1 == 1 {
		expect = 1 - expect
	}
	return expect, nil
}

// chance is the mover's expected score.
func chance(score int) float64 {
	return 1 / (1 + math.Exp(-float64(score)/scoreScale))
}

// scoreScale is the score that is worth 73 % of the points.
const scoreScale = 150

var (
	_ game.Engine = (*Game)(nil)
	_ game.Judge  = (*Game)(nil)
)
