package player

import (
	"context"
	"fmt"

	"thera/engine/game"
	"thera/engine/hex/rules"
)

// Builtin is what others may know of the player without its protocol.
type Builtin struct{}

// nodesAPlayout is the number of moves of a playout on a usual board.
const nodesAPlayout = 100

// Expect estimates the first seat's expected score with playouts of about that
// many moves.
func (Builtin) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	p, err := rules.Of(pos)
	if err != nil {
		return 0, err
	}
	turn, value := p.Winner(), 1.0
	if p.Winner() == rules.None {
		turn = p.Turn()
		b := New()
		b.plain = true // the same file and seed give the same openings, also when the player gets stronger
		b.SetPlayouts(int(min(max(nodes/nodesAPlayout, 1), 1_000_000)))
		value = b.Choose(ctx, p.Size(), p.Cells(), turn).Value
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	if p.SeatOf(turn) == game.Second {
		value = 1 - value
	}
	return value, nil
}

// Signature is the number of tree nodes of the built-in player's searches of a
// fixed set of positions. switches are its options by name.
func (Builtin) Signature(ctx context.Context, switches map[string]string) (int64, error) {
	b := New()
	b.SetPlayouts(1000)
	for name, value := range switches {
		if err := b.Set(name, value); err != nil {
			return 0, err
		}
	}
	total := int64(0)
	for _, text := range []string{"5", "7 a1 d4", "9 b4 e5 g3", "11", "11 a2 f6 d8 h4", "13 c3"} {
		p, err := rules.Default().Parse(text)
		if err != nil {
			return 0, fmt.Errorf("signature: %w", err)
		}
		b.Reset(p.Size())
		total += int64(b.Choose(ctx, p.Size(), p.Cells(), p.Turn()).Nodes)
	}
	return total, ctx.Err()
}

// CheckOption returns what is wrong with an option of the built-in engine. A match
// file may also set a limit to auto; see session.limit.
func (Builtin) CheckOption(name, value string) error {
	if value == "auto" && (name == OptionTime || name == OptionCPU || name == OptionPlayouts || name == OptionDepth) {
		return nil
	}
	return New().Set(name, value)
}

// FullStrength is nil: the engine plays at full strength by default.
func (Builtin) FullStrength() []game.Option { return nil }

// Version is what tests found it to be. With another judge, match files with balanced
// openings get others.
func (Builtin) Version() game.Version {
	return game.Version{
		Signature: 152_469,
		Weights:   "0b222dea765a54a43db7e31cfcb10cebca0a75ef4e3926995b1add39ee7d1795",
		Judge:     "ea5b35f3f1768b53",
		Revision:  3,
	}
}

// Baselines evaluate with the net only when they search.
func (Builtin) Baselines() []game.Baseline {
	bot := func(kind string) []game.Option { return []game.Option{{Name: optionBot, Value: kind}} }
	return []game.Baseline{
		{Name: "random", Options: bot(botRandom), Nodes: 1, Plays: "3da3dc1c2635e89f"},
		{Name: "middling", Options: bot(botDistance), Nodes: 1, Plays: "4b523a2e9d761801"},
		{Name: "strong", Options: []game.Option{{Name: optionPlain, Value: "true"}}, Nodes: 1_000, Plays: "e869d0148eba1516"},
	}
}
