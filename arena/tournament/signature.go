package tournament

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"thera/engine/game"
)

// What JudgeSignature asks: few positions with few nodes, for it is asked
// before every run with balanced openings.
const (
	signaturePositions = 4 // 2, 4, 6 and 8 plies from a start
	signatureNodes     = 500
)

// JudgeSignature is a fingerprint of the judge of g, its player: a hash of what it expects
// in some fixed positions of g. Another version of the judge chooses other
// openings, and shows by another signature. The same judge has the same one on
// every machine.
func JudgeSignature(ctx context.Context, g game.Game, judge game.Player) (string, error) {
	sum := sha256.New()
	for i := range uint64(signaturePositions) {
		at, err := g.Start(int(i)%max(g.Starts(), 1), i)
		if err != nil {
			return "", fmt.Errorf("judge of %s: %w", g.Name(), err)
		}
		seeds := generator(i)
		if pos, ok, _ := walk(ctx, at, 2*int(i+1), &seeds, nil); ok {
			at = pos
		}
		expected, err := judge.Expect(ctx, at, signatureNodes)
		if err != nil {
			return "", fmt.Errorf("judge of %s: %w", g.Name(), err)
		}
		fmt.Fprintf(sum, "%.9f\n", expected) // the last bits of a logarithm differ by machine
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
