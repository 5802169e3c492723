package gyges

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/internal/slow"
)

// randomPositions calls see with positions of random games from random
// placements and scattered pieces until it answers false.
func randomPositions(seed uint64, see func(p *position) bool) {
	rng := rand.New(rand.NewPCG(seed, 7))
	g := New()
	w := newWalker()
	for {
		p := g.newPosition(randomBoard(rng), game.Seat(1+rng.IntN(2)))
		for plies := rng.IntN(40); !p.over; plies-- {
			if !see(p) {
				return
			}
			moves := w.generate(p.board, p.mover, nil)
			m := moves[rng.IntN(len(moves))]
			if plies <= 0 {
				break
			}
			p = p.after(m, w)
		}
	}
}

// randomBoard is a placement or, half the time, pieces anywhere.
func randomBoard(rng *rand.Rand) Board {
	if rng.IntN(2) == 0 {
		return placed(homeRow(rng.IntN(arrangements)), homeRow(rng.IntN(arrangements)))
	}
	var b Board
	for i, sq := range rng.Perm(squares)[:12] {
		b.put(sq, 1+i%3)
	}
	return b
}

func TestSlowModelAgreesLong(t *testing.T) {
	want := 300
	if gametest.Long(t) {
		want = 20_000
	}
	begin, n, moves := time.Now(), 0, 0
	randomPositions(20261, func(p *position) bool {
		fast := p.Moves(p.mover)
		if diff := cmp.Diff(slow.Moves(p.board.String(), int(p.mover), slow.Right), fast); diff != "" {
			t.Errorf("%s (-slow +fast):\n%s", p, diff)
		}
		n, moves = n+1, moves+len(fast)
		return n < want && !t.Failed()
	})
	t.Logf("%d positions, %d moves in %v", n, moves, time.Since(begin))
}

// Each deliberate mistake shows within 1,000 positions.
func TestSlowModelMutationsAreCaught(t *testing.T) {
	for _, wrong := range slow.Mutations() {
		n, caught := 0, false
		randomPositions(99, func(p *position) bool {
			n++
			caught = !slices.Equal(slow.Moves(p.board.String(), int(p.mover), wrong), p.Moves(p.mover))
			return !caught && n < 1000
		})
		if !caught {
			t.Errorf("mistake %d is not seen in %d positions", wrong, n)
		}
	}
}

func TestSlowModelKnowsTheVectors(t *testing.T) {
	for i, v := range readVectors(t) {
		if i%8 != 0 {
			continue // each is a second source for the others
		}
		got := slow.Moves(v.Board, int(v.Player), slow.Right)
		if len(got) != v.Count {
			t.Errorf("%s %d: %d moves, want %d", v.Board, v.Player, len(got), v.Count)
		}
	}
}
