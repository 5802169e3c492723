package santorini_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini"
	"thera/engine/santorini/internal/slow"
)

// TestFormsAgree checks that a position has the same moves in both forms and accepts
// moves written in either.
func TestFormsAgree(t *testing.T) {
	gametest.Sequential(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		for _, text := range slow.RandomGame(r) {
			v1 := slow.IndexForm(text)
			a, b := parsed(t, text), parsed(t, v1)
			if a.ToMove() == 0 {
				continue
			}
			seat := a.ToMove().Only()
			movesA, movesB := a.Moves(seat), b.Moves(seat)
			if len(movesA) != len(movesB) {
				t.Fatalf("%s: %d and %d moves", text, len(movesA), len(movesB))
			}
			move := movesA[r.IntN(len(movesA))]
			x, err := b.Play(game.By(seat, move))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.ContainsAny(strings.Split(x.String(), ":")[1], "0123456789") || !slices.Contains(movesB, x.String()) {
				t.Fatalf("%s plays %s to %s, which it does not list", v1, move, x)
			}
		}
	}
}

func parsed(t *testing.T, text string) game.Position {
	t.Helper()
	pos, err := santorini.New().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := pos.String(); got != text {
		t.Fatalf("%s reads back as %s", text, got)
	}
	return pos
}
