package rules_test

import (
	"math/rand/v2"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

// TestMayWinMissesNothing checks that there is no win where MayWin returns false.
func TestMayWinMissesNothing(t *testing.T) {
	games := 4
	if gametest.Long(t) {
		games = 200
	}
	r := rand.New(rand.NewPCG(53, 53))
	list, looked, yes, wins := rules.NewMoveList(), 0, 0, 0
	missed := map[rules.God]string{}
	for g := range rules.GodCount {
		for range games {
			santorinitest.RandomWalk(r, g, func(p *rules.State, _ *rules.MoveList) {
				looked++
				list.GenerateWins(p)
				if len(list.Moves) > 0 {
					wins++
				}
				if rules.MayWin(p, p.Mover) {
					yes++
				} else if len(list.Moves) > 0 {
					missed[p.Gods[p.Mover&1]] = rules.Text(p, rules.V2)
				}
			})
		}
	}
	for g, text := range missed {
		t.Errorf("%s wins at once: %s", g, text)
	}
	t.Logf("%d positions, %d may be won, %d are", looked, yes, wins)
	if wins < 100 || yes > looked*2/3 {
		t.Errorf("%d positions, %d may be won, %d are", looked, yes, wins)
	}
}

// TestCommonWins checks WinningSquares against the generator of wins, for every god
// and opponent for which WinsKnown.
func TestCommonWins(t *testing.T) {
	games := 12
	if gametest.Long(t) {
		games = 400
	}
	r := rand.New(rand.NewPCG(33, 8))
	wins := rules.NewMoveList()
	gods, won := 0, 0
	for g := range rules.GodCount {
		seen := 0
		for range games {
			santorinitest.RandomWalk(r, g, func(p *rules.State, _ *rules.MoveList) {
				if p.Placing() || !rules.WinsKnown(p, p.Mover) {
					return
				}
				seen++
				wins.GenerateWins(p)
				if squares := rules.WinningSquares(p, p.Mover); (squares != 0) != (len(wins.Moves) > 0) {
					t.Fatalf("%s: wins seen at %b, the rules list %d", rules.Text(p, rules.V2), squares, len(wins.Moves))
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
