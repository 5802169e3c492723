package santorini

import (
	"math/rand/v2"
	"testing"
)

// TestCommonWins: what the player takes for a god's wins at a glance is what
// the rules list, for every god that says so and every opponent that lets it.
func TestCommonWins(t *testing.T) {
	games := 12
	if long() {
		games = 400
	}
	r := rand.New(rand.NewPCG(33, 8))
	wins := newFrame()
	gods, won := 0, 0
	for g := range godCount {
		seen := 0
		for range games {
			randomWalk(r, g, func(p *state, _ *frame) {
				if p.placing() || !told(p, p.mover) {
					return
				}
				seen++
				wins.winning(p)
				if squares := winsOf(p, p.mover); (squares != 0) != (len(wins.moves) > 0) {
					t.Fatalf("%s: wins seen at %b, the rules list %d", p.text(formV2), squares, len(wins.moves))
				} else if squares != 0 {
					won++
				}
			})
		}
		if seen > 0 {
			gods++
		}
	}
	t.Logf("%d wins of %d gods", won, gods)
	if gods < 30 || won < 500 {
		t.Errorf("only %d wins of %d gods", won, gods)
	}
}
