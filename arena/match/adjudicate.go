package match

import (
	"math"

	"thera/arena"
	"thera/engine/game"
)

// ended returns how a game has ended: by the rules, or after a turn by adjudication. The source
// is "" if it goes on. plies are those so far.
func ended(g game.Game, a *arena.Adjudication, history *game.History, plies []arena.Ply) (game.Outcome, arena.Source) {
	if outcome, over := history.Position.Outcome(); over {
		return outcome, arena.Natural
	}
	if history.Ply == 0 {
		return game.Outcome{}, ""
	}
	end := func(winner game.Seat, reason string) (game.Outcome, arena.Source) {
		return game.Outcome{Winner: winner, Reason: reason}, arena.Adjudicated
	}
	if prover, ok := g.(game.Prover); ok && a.Tables {
		if outcome, proven := prover.Proven(history.Position); proven {
			return end(outcome.Winner, "adjudicated: table")
		}
	}
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if a.ResignMoves > 0 && last(plies, game.SeatsOf(seat), a.ResignMoves, math.MinInt, -a.ResignScore) &&
			(!a.ResignBoth || last(plies, game.SeatsOf(seat.Other()), a.ResignMoves, a.ResignScore, math.MaxInt)) {
			return end(seat.Other(), "adjudicated: resigned by its scores")
		}
	}
	if a.DrawPlies > 0 && history.Ply >= a.DrawAfter && last(plies, game.Both, a.DrawPlies, -a.DrawScore, a.DrawScore) {
		return end(game.None, "adjudicated: both sides see a draw")
	}
	if a.MaxPlies > 0 && history.Ply >= a.MaxPlies {
		return end(game.None, "adjudicated: ply cap")
	}
	return game.Outcome{}, ""
}

// last reports whether each of the last n plies of some seats, at least one of each, has a
// score in a range.
func last(plies []arena.Ply, seats game.Seats, n, from, to int) bool {
	var seen game.Seats
	for i := len(plies) - 1; i >= 0; i-- {
		p := &plies[i]
		if !seats.Has(p.Seat) {
			continue
		}
		if !p.Scored || p.Score < from || p.Score > to {
			return false
		}
		seen |= game.SeatsOf(p.Seat)
		if n--; n == 0 {
			return seen == seats
		}
	}
	return false
}
