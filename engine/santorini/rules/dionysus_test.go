package rules

import (
	"testing"

	"thera/engine/game"
)

// TestDionysusIsBounded plays a turn that no rule allows on boards of towers of level 3, where
// Dionysus has millions of turns. Without a bound it takes minutes and all memory.
func TestDionysusIsBounded(t *testing.T) {
	for start, claim := range map[string]string{
		"3332333233323332333233323/1/dionysus:B3,D3/mortal:C4,C2": "4442444244424442444244424/2/dionysus:B3,D3/mortal:C4,C2",
		"3232323232323232323232323/1/dionysus:B3,D3/mortal:C4,C2": "4242424242424242424242424/2/dionysus:B3,D3/mortal:C4,A1",
	} {
		p, err := Read(start)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Play(game.By(game.First, claim)); err == nil {
			t.Errorf("%s: %s is taken", start, claim)
		}
		if n := len(p.Moves(game.First)); n < mostAgain {
			t.Errorf("%s: %d turns", start, n)
		}
	}
}
