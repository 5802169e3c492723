package gyges

import (
	"context"
	"fmt"
	"math"

	"thera/engine/game"
	"thera/engine/gyges/player"
	"thera/engine/search"
)

// winScale is the score at which the side to move expects about 73 %.
const winScale = 150

// Expect estimates the first seat's expected score with a search of about that
// many nodes. It evaluates by hand, also when the player gets stronger, so that the same
// file and seed give the same openings.
func (g *Gyges) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, err := positionOf(pos)
	if err != nil {
		return 0, err
	}
	if p.over {
		return 0.5 + [3]float64{0, 0.5, -0.5}[p.outcome.Winner], nil
	}
	judge := player.New(2 << 20)
	if err := judge.Set(player.OptionEval, "hand"); err != nil {
		return 0, err
	}
	r := judge.Search(ctx, p.task(), search.Limits{Nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	expected := 1 / (1 + math.Exp(-float64(r.Score)/winScale))
	if p.mover == game.Second {
		expected = 1 - expected
	}
	return expected, nil
}

// Signature is the number of nodes that the built-in player searches in a fixed
// set of positions. switches are its options by name.
func (g *Gyges) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	engine := player.New(8 << 20)
	for name, value := range switches {
		if err := engine.Set(name, value); err != nil {
			return 0, err
		}
	}
	total := int64(0)
	for _, text := range []string{
		"start", "bench 2", "test", "322311/000000/000000/000000/000000/223311 1",
		"000012/000010/003010/002000/003300/230012 1", "020003/110002/000000/300002/000000/321013 2",
	} {
		pos, err := g.Parse(text)
		if err != nil {
			return 0, fmt.Errorf("signature: %w", err)
		}
		total += engine.Search(ctx, pos.(*position).task(), search.Limits{Depth: 4}, nil).Nodes
	}
	return total, ctx.Err()
}

// task is the position as the built-in player takes it.
func (p *position) task() player.Position {
	return player.Position{Board: p.board, Seat: p.mover, NoMoveDraws: p.rules.NoMove == "draw"}
}

// CheckOption returns what is wrong with an option of the built-in engine.
func (*Gyges) CheckOption(name, value string) error { return player.New(1).Set(name, value) }

// FullStrength is nil: the engine plays at full strength by default.
func (*Gyges) FullStrength() []game.Option { return nil }
