// Package gygestest makes random positions of Gyges for tests.
package gygestest

import (
	"math/bits"
	"math/rand/v2"
	"strings"

	"thera/engine/game"
	"thera/engine/gyges/rules"
)

// Positions calls see with positions of random games, from random placements and
// from boards with pieces anywhere, until it returns false. In all of them the
// side to move has a move.
func Positions(seed uint64, see func(b rules.Board, seat game.Seat) bool) {
	rng := rand.New(rand.NewPCG(seed, 7))
	gen := rules.NewGenerator()
	for {
		b, seat := randomBoard(rng), game.Seat(1+rng.IntN(2))
		for plies := rng.IntN(40); gen.CanMove(b, seat); plies-- {
			if !see(b, seat) {
				return
			}
			moves := gen.Moves(b, seat, nil)
			m := moves[rng.IntN(len(moves))]
			if plies <= 0 || m.End() >= rules.Squares {
				break
			}
			b, seat = b.After(m), seat.Other()
		}
	}
}

// randomBoard is a placement or, half the time, pieces anywhere.
func randomBoard(rng *rand.Rand) rules.Board {
	if rng.IntN(2) == 0 {
		return rules.RandomPlacement(rng)
	}
	text := []byte(strings.Repeat("000000/", 6)[:41])
	for i, sq := range rng.Perm(rules.Squares)[:12] {
		text[sq+sq/6] = byte('1' + i%3)
	}
	b, err := rules.ParseBoard(string(text), 12)
	if err != nil {
		panic(err)
	}
	return b
}

// Wins reports whether seat can enter the goal with its next move.
func Wins(gen *rules.Generator, b rules.Board, seat game.Seat) bool {
	goal := rules.GoalSet(seat)
	for active := b.Active(seat); active != 0; active &= active - 1 {
		if gen.Ends(b, bits.TrailingZeros64(active), seat, 0).Empty&goal != 0 {
			return true
		}
	}
	return false
}
