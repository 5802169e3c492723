package santorini

import (
	"math/rand/v2"
	"testing"

	"thera/engine/game"
)

// TestHole19TheJudgeKnowsGods checks that the judge of openings expects much of gods that win
// three games of four, in both seats. By hand it took all gods for equals.
func TestHole19TheJudgeKnowsGods(t *testing.T) {
	for _, pair := range [][2]string{{"apollo", "mortal"}, {"charon", "stymphalians"}, {"prometheus", "polyphemus"}, {"athena", "achilles"}} {
		const starts = 10 // in each seat
		sum := 0.0
		for seat, gods := range map[game.Seat][2]string{game.First: pair, game.Second: {pair[1], pair[0]}} {
			g, problems := New().With(nil, &Openings{Gods: GodOpenings{Matchups: "list", Pairs: []string{gods[0] + "-" + gods[1]}}})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			for seed := range uint64(starts) {
				pos := wander(t, g, seed)
				expected, err := Player().Expect(t.Context(), pos, 2000)
				if err != nil {
					t.Fatal(err)
				}
				if seat == game.Second {
					expected = 1 - expected
				}
				sum += expected
			}
		}
		if mean := sum / (2 * starts); mean < 0.68 {
			t.Errorf("%s against %s: expected to score %.2f", pair[0], pair[1], mean)
		}
	}
}

// wander is g after two placements and two random turns.
func wander(t *testing.T, g game.Game, seed uint64) game.Position {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 19))
	pos, err := g.Start(0, seed)
	for range 4 {
		if err != nil {
			t.Fatal(err)
		}
		seat := pos.ToMove().Only()
		moves := pos.Moves(seat)
		pos, err = pos.Play(game.By(seat, moves[r.IntN(len(moves))]))
	}
	return pos
}
