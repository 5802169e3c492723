package player

import (
	"context"
	"fmt"
	"math"

	"thera/engine/game"
	"thera/engine/gyges/rules"
	"thera/engine/search"
)

// Builtin is what others may know of the player without its protocol.
type Builtin struct{}

// winScale is the score at which the side to move expects about 73 %.
const winScale = 150

// Expect estimates the first seat's expected score with a search of about that
// many nodes. It evaluates by hand, also when the player gets stronger, so that the same
// file and seed give the same openings.
func (Builtin) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, err := rules.Of(pos)
	if err != nil {
		return 0, err
	}
	if end, over := p.Outcome(); over {
		return 0.5 + [3]float64{0, 0.5, -0.5}[end.Winner], nil
	}
	judge := New(2 << 20)
	if err := judge.Set(OptionEval, "hand"); err != nil {
		return 0, err
	}
	r := judge.Search(ctx, Task(p), search.Limits{Nodes: max(1, nodes)}, nil)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	expected := 1 / (1 + math.Exp(-float64(r.Score)/winScale))
	if p.Mover() == game.Second {
		expected = 1 - expected
	}
	return expected, nil
}

// Signature is the number of nodes that the built-in player searches in a fixed
// set of positions. switches are its options by name.
func (Builtin) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	engine := New(8 << 20)
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
		pos, err := rules.Default().Parse(text)
		if err != nil {
			return 0, fmt.Errorf("signature: %w", err)
		}
		total += engine.Search(ctx, Task(pos), search.Limits{Depth: 4}, nil).Nodes
	}
	return total, ctx.Err()
}

// Task is a position as the search takes it.
func Task(p *rules.Position) Position {
	return Position{Board: p.Board(), Seat: p.Mover(), NoMoveDraws: p.NoMoveDraws()}
}

// CheckOption returns what is wrong with an option of the built-in engine.
func (Builtin) CheckOption(name, value string) error { return New(1).Set(name, value) }

// FullStrength is nil: the engine plays at full strength by default.
func (Builtin) FullStrength() []game.Option { return nil }

// Version is what tests found it to be. With another judge, match files with balanced
// openings get others.
func (Builtin) Version() game.Version {
	return game.Version{
		Signature: 97_304,
		Weights:   "c4aabf622a52acec62700e23aec7eb9d97102a443845c305d64a3ca84ea58a18",
		Judge:     "e37d08680d6cd7ce",
		Revision:  1,
	}
}

// Baselines evaluate by hand, so that another net does not change them.
func (Builtin) Baselines() []game.Baseline {
	byHand := []game.Option{{Name: OptionEval, Value: evalHand}}
	return []game.Baseline{
		{Name: "random", Options: []game.Option{{Name: optionRandom, Value: "true"}}, Nodes: 1, Plays: "54488957cf159248"},
		{Name: "middling", Options: byHand, Nodes: 100, Plays: "6650c4cdca89212f"},
		{Name: "strong", Options: byHand, Nodes: 5_000, Plays: "1281c522812e8e3a"},
	}
}
