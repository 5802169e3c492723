package tournament

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"thera/engine/all"
	"thera/engine/game"
	"thera/engine/santorini"
)

// What judgeSignature asks: few positions with few nodes.
const (
	signaturePositions = 4 // 2, 4, 6 and 8 plies from a start
	signatureNodes     = 500
)

// judgeSignature hashes what a judge expects in some fixed positions of a game, played in some
// ways. A judge that chooses other openings has another signature, the same on every machine.
func judgeSignature(ctx context.Context, judge game.Player, ways ...game.Game) (string, error) {
	sum := sha256.New()
	for _, g := range ways {
		for i := range uint64(signaturePositions) {
			at, err := g.Start(int(i)%max(g.Starts(), 1), i)
			if err != nil {
				return "", fmt.Errorf("judge of %s: %w", g.Name(), err)
			}
			seeds := random(i)
			if pos, ok, _ := walk(ctx, at, 2*int(i+1), &seeds, nil); ok {
				at = pos
			}
			expected, err := judge.Expect(ctx, at, signatureNodes)
			if err != nil {
				return "", fmt.Errorf("judge of %s: %w", g.Name(), err)
			}
			fmt.Fprintf(sum, "%.9f\n", expected) // the last bits of a logarithm differ by machine
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// Each judge has a signature, the same as in earlier versions: another one means that
// match files with balanced openings get others.
func TestJudgesStay(t *testing.T) {
	gods, problems := santorini.New().With(nil, &santorini.Openings{Gods: santorini.GodOpenings{List: []string{"apollo", "hermes", "hydra"}, Matchups: "all"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	seen := map[string]string{}
	for _, g := range all.Games() {
		judge, ways := all.Player(g.Name()), []game.Game{g}
		if g.Name() == gods.Name() {
			ways = append(ways, gods) // a net judges them
		}
		first, err := judgeSignature(t.Context(), judge, ways...)
		if errors.Is(err, game.ErrNoJudge) {
			if stated := judge.Version().Judge; stated != "" {
				t.Errorf("%s has no judge, but its version %q", g.Name(), stated)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", g.Name(), err)
		}
		if want := judge.Version(); first != want.Judge && want.Signature > 0 {
			t.Errorf("%s: %s, want %s", g.Name(), first, want.Judge)
		}
		if other := seen[first]; other != "" {
			t.Errorf("%s and %s have one signature", other, g.Name())
		}
		seen[first] = g.Name()
	}
	if len(seen) < 4 {
		t.Errorf("%d judges", len(seen))
	}
}
