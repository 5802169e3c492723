package rules_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/internal/slow"
	"thera/engine/gyges/rules"
)

// sorted is the text of the legal moves in the order of the slow model.
func sorted(gen *rules.Generator, b rules.Board, seat game.Seat) []string {
	list := []string{}
	for _, m := range gen.Moves(b, seat, nil) {
		list = append(list, m.String())
	}
	slices.Sort(list)
	return list
}

func TestSlowModelAgreesLong(t *testing.T) {
	want := 300
	if gametest.Long(t) {
		want = 20_000
	}
	gen := rules.NewGenerator()
	begin, n, moves := time.Now(), 0, 0
	gygestest.Positions(20261, func(b rules.Board, seat game.Seat) bool {
		fast := sorted(gen, b, seat)
		if diff := cmp.Diff(slow.Moves(b.String(), int(seat), slow.Right), fast); diff != "" {
			t.Errorf("%s %d (-slow +fast):\n%s", b, seat, diff)
		}
		n, moves = n+1, moves+len(fast)
		return n < want && !t.Failed()
	})
	t.Logf("%d positions, %d moves in %v", n, moves, time.Since(begin))
}

// Each deliberate error is found within 1,000 positions.
func TestSlowModelMutationsAreCaught(t *testing.T) {
	gen := rules.NewGenerator()
	for _, wrong := range slow.Mutations() {
		n, caught := 0, false
		gygestest.Positions(99, func(b rules.Board, seat game.Seat) bool {
			n++
			caught = !slices.Equal(slow.Moves(b.String(), int(seat), wrong), sorted(gen, b, seat))
			return !caught && n < 1000
		})
		if !caught {
			t.Errorf("mistake %d is not seen in %d positions", wrong, n)
		}
	}
}
