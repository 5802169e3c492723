//go:build unix

package match

import (
	"fmt"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// scored is a plan of two engines that always say the same score.
func scored(good, bad string) *arena.Plan {
	p := plan(nim.New(99), "score="+bad)
	_, p.Engines[0].Env = faultkit.Command("score=" + good)
	return p
}

func TestAdjudication(t *testing.T) {
	win := arena.Adjudication{WinRule: arena.WinRule{WinScore: 300, WinPlies: 6}}
	draw := arena.Adjudication{DrawRule: arena.DrawRule{DrawScore: 10, DrawPlies: 8, DrawAfter: 20}}
	resign := arena.Adjudication{ResignRule: arena.ResignRule{ResignScore: 300, ResignMoves: 3}}
	twosided := resign
	twosided.ResignBoth = true
	for _, tt := range []struct {
		name      string
		good, bad string
		rules     arena.Adjudication
		winner    string // engine, "" for a draw
		source    arena.Source
		plies     int
		reason    string
	}{
		{"both see a win", "400", "-300", win, "good", arena.Adjudicated, 6, "both sides see a win"},
		{"the other wins", "-400", "999", win, "bad", arena.Adjudicated, 6, "both sides see a win"},
		{"one is sure, the other is not", "400", "-299", win, "", arena.Natural, 0, ""},
		{"both hope", "400", "400", win, "", arena.Natural, 0, ""},
		{"draw, not before ply 20", "0", "-10", draw, "", arena.Adjudicated, 20, "both sides see a draw"},
		{"one sees more", "0", "11", draw, "", arena.Natural, 0, ""},
		{"one gives up after three moves", "0", "-300", resign, "good", arena.Adjudicated, 0, "resigned by its scores"},
		{"it still hopes", "0", "-299", resign, "", arena.Natural, 0, ""},
		{"the other must agree", "299", "-300", twosided, "", arena.Natural, 0, ""},
		{"the other agrees", "300", "-300", twosided, "good", arena.Adjudicated, 0, "resigned by its scores"},
		{"ply cap", "5", "5", arena.Adjudication{MaxPlies: 7}, "", arena.Adjudicated, 7, "ply cap"},
		{"off", "0", "0", arena.Adjudication{}, "", arena.Natural, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := scored(tt.good, tt.bad)
			p.Adjudicate = tt.rules
			for _, rec := range games(t, p, 2, Options{}) {
				if rec.Source != tt.source || !strings.Contains(rec.Outcome.Reason, tt.reason) {
					t.Fatalf("%s %+v", rec.Source, rec.Outcome)
				}
				if rec.Source != arena.Adjudicated {
					continue
				}
				want := tt.plies
				if tt.rules.ResignMoves > 0 { // its own third move
					want = 5
					if rec.Engine(game.Second) == "bad" || tt.rules.ResignBoth {
						want = 6
					}
				}
				if len(rec.Moves) != want {
					t.Errorf("after %d plies, want %d", len(rec.Moves), want)
				}
				winner := ""
				if rec.Outcome.Winner != game.None {
					winner = rec.Engine(rec.Outcome.Winner)
				}
				if winner != tt.winner {
					t.Errorf("%q wins, want %q", winner, tt.winner)
				}
			}
		})
	}
}

// solved is nim with a table.
type solved struct{ *nim.Game }

func (solved) Proven(pos game.Position) (game.Outcome, bool) {
	var left int
	var mover game.Seat
	fmt.Sscan(pos.String(), &left, &mover)
	return game.Outcome{Winner: mover.Other(), Reason: "a multiple of four"}, left > 0 && left%4 == 0
}

func TestTables(t *testing.T) {
	p := plan(solved{nim.New(21)}, "none")
	p.Adjudicate.Tables = true
	rec := games(t, p, 1, Options{})[0]
	if rec.Source != arena.Adjudicated || rec.Outcome.Winner != game.First || len(rec.Moves) != 1 || rec.Outcome.Reason != "adjudicated: table" {
		t.Errorf("%s %+v after %d moves", rec.Source, rec.Outcome, len(rec.Moves))
	}
}
