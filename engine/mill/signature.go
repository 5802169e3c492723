package mill

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"thera/engine/game"
	"thera/engine/search"
)

var (
	_ game.Engine = (*Game)(nil)
	_ game.Judge  = (*Game)(nil)
)

// benchDepth and benchPositions make the bench signature: all phases of the
// game, quiet ones and tactical ones.
const benchDepth = 11

func benchPositions() []string {
	return []string{
		StartFEN,
		"**O*****/****O***/******@@ w p p 2 7 2 7 0 0 0 0 0 0 0 0 3",
		"*@**@@*O/OO**@OOO/******** w p r 6 3 4 4 1 0 0 0 0 0 0 0 7",
		"O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14",
		"*****O*O/OO****OO/@*@**@@@ b m s 6 0 5 0 0 0 0 0 0 0 0 2 18",
		"@@@*@*@*/@O*@O@**/O****O@* w m s 4 0 9 0 0 0 0 0 0 0 0 30 85",
		"***@**O@/**@**@@*/**O*O*@* b m s 3 0 6 0 0 0 0 0 0 0 0 3 40",
	}
}

// Signature is the number of nodes that the player needs for the bench
// positions. Switches are options of the engine, and the search's heuristics
// by name, 0 or 1.
func (g *Game) Signature(ctx context.Context, switches map[string]string) (nodes int64, err error) {
	set := defaultSettings()
	set.skill, set.algorithm, set.hash = fullStrength, 1, 16
	off := search.Feature(0)
	for name, value := range switches {
		feature, unknown := search.FeatureOf(name)
		if unknown != nil {
			if err := set.setOption("name " + name + " value " + value); err != nil {
				return 0, fmt.Errorf("%w; heuristics are %v", err, search.FeatureNames())
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
		pos, err := parseFEN(g.rules, fen)
		if err != nil {
			return 0, err
		}
		p := newPlayer()
		st := p.configure(&set, &goal{})
		p.engine.Options.Features &^= off
		r := p.engine.Search(ctx, func(b search.Board[move]) { b.(*walker).set(pos, st, nil) }, search.Limits{Depth: benchDepth}, nil)
		nodes += r.Nodes
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return nodes, nil
}

// winningChance is how many hundredths of a man make a chance of 73 %.
const winningChance = 100

// Expect estimates the first seat's score with a search of about so many
// nodes.
func (g *Game) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, ok := pos.(*Position)
	if !ok {
		return 0, fmt.Errorf("a position of another game: %T", pos)
	}
	if outcome, over := p.Outcome(); over {
		return [...]float64{0.5, 1, 0}[outcome.Winner], nil
	}
	set := defaultSettings()
	set.skill, set.algorithm, set.hash = fullStrength, 1, 4
	r := newPlayer().think(ctx, p, &set, &goal{nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	chance := 1 / (1 + math.Exp(-float64(r.Score)/winningChance))
	if p.turn == black {
		chance = 1 - chance
	}
	return chance, nil
}
