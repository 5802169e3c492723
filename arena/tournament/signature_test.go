package tournament

import (
	"context"
	"errors"
	"testing"

	"thera/engine/all"
	"thera/engine/game"
	"thera/engine/gametest/nim"
	"thera/engine/santorini"
)

// shifted is another version of a judge.
type shifted struct {
	game.Player
	by float64
}

func (s shifted) Expect(ctx context.Context, pos game.Position, nodes int64) (float64, error) {
	score, err := s.Player.Expect(ctx, pos, nodes)
	return score + s.by, err
}

func TestAnotherJudgeHasAnotherSignature(t *testing.T) {
	g := nim.New()
	same, err := JudgeSignature(t.Context(), g, g)
	if err != nil || len(same) != 16 {
		t.Fatalf("%q, %v", same, err)
	}
	for by, differs := range map[float64]bool{0: false, 1e-12: false, 1e-6: true, 0.1: true} {
		got, err := JudgeSignature(t.Context(), g, shifted{g, by})
		if err != nil || (got != same) != differs {
			t.Errorf("off by %v: %s, was %s, %v", by, got, same, err)
		}
	}
}

// Each judge has its own signature, the same as in earlier versions: another one means that
// match files with balanced openings get others.
func TestJudgesStay(t *testing.T) {
	seen := map[string]string{}
	for _, g := range all.Games() {
		first, err := JudgeSignature(t.Context(), g, all.Player(g.Name()))
		if errors.Is(err, game.ErrNoJudge) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", g.Name(), err)
		}
		if want := all.Player(g.Name()).Version(); first != want.Judge && want.Signature > 0 {
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
	// The net judges gods. Whoever replaces it keeps this one for the judge.
	gods, problems := santorini.New().With(nil, &santorini.Openings{Gods: santorini.GodOpenings{List: []string{"apollo", "hermes", "hydra"}, Matchups: "all"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got, err := JudgeSignature(t.Context(), gods, santorini.Player()); err != nil || got != "0aa0ca328f5443e7" {
		t.Errorf("santorini with gods: %s, %v, want 0aa0ca328f5443e7", got, err)
	}
}
