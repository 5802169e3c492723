package santorini

import (
	"math/rand/v2"
	"testing"

	"thera/engine/game"
	"thera/engine/santorini/rules"
)

// A position knows whether its mover can win at once as playing every turn shows it, for
// every god and with towers of all heights.
func TestWinsAtOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[bool]int{}
	for g := range rules.GodCount {
		for range 12 {
			var pos game.Position = rules.Box(rules.Start(rules.Matchup{g, rules.Mortal}, false), rules.V2)
			for range 8 + random.IntN(24) {
				moves := pos.Moves(pos.ToMove().Only())
				next, err := pos.Play(game.By(pos.ToMove().Only(), moves[random.IntN(len(moves))]))
				if err != nil {
					t.Fatal(err)
				}
				if _, over := next.Outcome(); over {
					break
				}
				pos = next
			}
			mover := pos.ToMove().Only()
			moves := pos.Moves(mover)
			if len(moves) > 500 {
				continue
			}
			want := false
			for _, move := range moves {
				next, err := pos.Play(game.By(mover, move))
				if err != nil {
					t.Fatal(err)
				}
				end, over := next.Outcome()
				want = want || over && end.Winner == mover
			}
			if got := pos.(game.Winner).WinsAtOnce(); got != want {
				t.Errorf("%s: %v, and playing all turns says %v", pos, got, want)
			}
			seen[want]++
		}
	}
	if seen[true] < 20 || seen[false] < 100 {
		t.Errorf("%v: the positions prove little", seen)
	}
}
