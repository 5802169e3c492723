package gametest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

// RandomPlay plays games of random legal turns from the starts of g, of up to
// maxPlies plies each, and checks every position with CheckPosition, and that every turn has
// words. It returns the number of positions seen.
func RandomPlay(t *testing.T, g game.Game, games, maxPlies int, seed uint64) int {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	seen := 0
	for i := range games {
		pos, err := g.Start(i%g.Starts(), seed+uint64(i))
		if err != nil {
			t.Fatalf("start %d: %v", i%g.Starts(), err)
		}
		history := game.Begin(pos)
		for history.Ply < maxPlies {
			seen++
			CheckPosition(t, g, history.Position)
			if t.Failed() {
				return seen
			}
			seats := history.Position.ToMove()
			if seats == 0 {
				break
			}
			var turn game.Turn
			for _, s := range []game.Seat{game.First, game.Second} {
				if !seats.Has(s) {
					continue
				}
				moves := history.Position.Moves(s)
				if len(moves) == 0 {
					t.Fatalf("%s: seat %d is to move and has no moves", history.Position, s)
				}
				turn[s.Index()] = moves[rng.IntN(len(moves))]
			}
			checkWords(t, history.Position, turn)
			next, err := history.Play(turn)
			if err != nil {
				t.Fatalf("%s: listed turn %s refused: %v", history.Position, turn, err)
			}
			history = next
		}
	}
	return seen
}

// checkWords checks what a position says of a legal turn, and of none.
func checkWords(t *testing.T, pos game.Position, turn game.Turn) {
	t.Helper()
	if words := pos.Words(turn); words == "" || strings.ContainsFunc(words, func(r rune) bool { return r < ' ' }) {
		t.Errorf("%s: %s in words is %q", pos, turn, words)
	}
	for _, none := range []game.Turn{{}, {"?", "?"}} {
		if words := pos.Words(none); words != "" {
			t.Errorf("%s: no turn in words is %q", pos, words)
		}
	}
}

// CheckPosition checks that the text of pos reads back to the same text, moves and outcome, that
// moves are sorted and distinct, and that no seat is to move in a finished game.
func CheckPosition(t *testing.T, g game.Game, pos game.Position) {
	t.Helper()
	text := pos.String()
	back, err := g.Parse(text)
	if err != nil {
		t.Errorf("the text %q does not read back: %v", text, err)
		return
	}
	if back.String() != text {
		t.Errorf("%q reads back as %q", text, back)
	}
	outcome, over := pos.Outcome()
	if over != (pos.ToMove() == 0) {
		t.Errorf("%s: over is %v but %d seats are to move", text, over, pos.ToMove().Len())
	}
	if over && outcome.Reason == "" {
		t.Errorf("%s: over without a reason", text)
	}
	for _, s := range []game.Seat{game.First, game.Second} {
		moves := pos.Moves(s)
		if !slices.IsSorted(moves) || len(slices.Compact(slices.Clone(moves))) != len(moves) {
			t.Errorf("%s: moves of seat %d are not sorted and distinct", text, s)
		}
		if (len(moves) > 0) != pos.ToMove().Has(s) {
			t.Errorf("%s: seat %d has %d moves, to move: %v", text, s, len(moves), pos.ToMove().Has(s))
		}
		// The text has no history. A game that ended by repetition goes on in
		// the position read back, so the lists cannot be compared.
		if _, backOver := back.Outcome(); backOver == over {
			if diff := cmp.Diff(moves, back.Moves(s)); diff != "" {
				t.Errorf("%s: moves of seat %d differ after reading back (-played +read):\n%s", text, s, diff)
			}
		}
	}
}
