//go:build unix

package match

import (
	"testing"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// solved is nim with a table.
type solved struct{ *nim.Game }

func (solved) Proven(pos game.Position) (game.Outcome, bool) {
	return game.Outcome{Winner: game.First, Reason: "a table"}, pos.String() == "17 1"
}

// Two engines that always say the same score, for 24 plies of one move each.
func TestAdjudication(t *testing.T) {
	draw := arena.Adjudication{DrawRule: arena.DrawRule{DrawScore: 10, DrawPlies: 8, DrawAfter: 20}}
	resign := arena.Adjudication{ResignRule: arena.ResignRule{ResignScore: 300, ResignMoves: 3}}
	twosided := resign
	twosided.ResignBoth = true
	for _, tt := range []struct {
		name   string
		scores [2]int
		rules  arena.Adjudication
		plies  int // 0: it goes on
		winner game.Seat
		reason string
	}{
		{"draw, not before ply 20", [2]int{0, -10}, draw, 20, game.None, "both sides see a draw"},
		{"one sees more", [2]int{0, 11}, draw, 0, 0, ""},
		{"one gives up after three moves", [2]int{0, -300}, resign, 6, game.First, "resigned by its scores"},
		{"it still hopes", [2]int{0, -299}, resign, 0, 0, ""},
		{"the other must agree", [2]int{299, -300}, twosided, 0, 0, ""},
		{"the other agrees", [2]int{300, -300}, twosided, 6, game.First, "resigned by its scores"},
		{"ply cap", [2]int{5, 5}, arena.Adjudication{MaxPlies: 7}, 7, game.None, "ply cap"},
		{"table", [2]int{5, 5}, arena.Adjudication{Tables: true}, 4, game.First, "table"},
		{"off", [2]int{0, 0}, arena.Adjudication{}, 0, 0, ""},
	} {
		history, plies := game.Begin(start(t, nim.New(21))), []arena.Ply{}
		for range 20 {
			next, err := history.Play(game.By(history.Position.ToMove().Only(), "1"))
			gametest.OK(t, err)
			seat := history.Position.ToMove().Only()
			history, plies = next, append(plies, arena.Ply{Seat: seat, Score: tt.scores[seat.Index()], Scored: true})
			outcome, by := ended(solved{nim.New(21)}, &tt.rules, history, plies)
			over := by == arena.Adjudicated
			if over != (history.Ply == tt.plies) || over && (outcome != game.Outcome{Winner: tt.winner, Reason: "adjudicated: " + tt.reason}) {
				t.Errorf("%s, ply %d: %v %+v", tt.name, history.Ply, by, outcome)
			}
			if over {
				break
			}
			plies[len(plies)-1].Scored = len(plies) > 1 || tt.plies != 0 // one without a score
		}
	}
}
