package match

import (
	"thera/arena"
	"thera/engine/game"
)

// ended returns how a game has ended: by the rules, or after a turn by adjudication. The source
// is "" if it goes on. plies are those so far.
func ended(g game.Game, a *arena.Adjudication, line *game.Line, plies []arena.Ply) (game.Outcome, arena.Source) {
	if outcome, over := line.Position.Outcome(); over {
		return outcome, arena.Natural
	}
	if line.Ply == 0 {
		return game.Outcome{}, ""
	}
	end := func(winner game.Seat, reason string) (game.Outcome, arena.Source) {
		return game.Outcome{Winner: winner, Reason: reason}, arena.Adjudicated
	}
	if prover, ok := g.(game.Prover); ok && a.Tables {
		if outcome, proven := prover.Proven(line.Position); proven {
			return end(outcome.Winner, "adjudicated: table")
		}
	}
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		lost := func(score int) bool { return -score >= a.ResignScore }
		won := func(score int) bool { return score >= a.ResignScore }
		if a.ResignMoves > 0 && streak(plies, seat, a.ResignMoves, lost) &&
			(!a.ResignBoth || streak(plies, seat.Other(), a.ResignMoves, won)) {
			return end(seat.Other(), "adjudicated: resigned by its scores")
		}
	}
	if a.DrawPlies > 0 && line.Ply >= a.DrawAfter && even(plies, a.DrawPlies, a.DrawScore) {
		return end(game.None, "adjudicated: both sides see a draw")
	}
	if a.MaxPlies > 0 && line.Ply >= a.MaxPlies {
		return end(game.None, "adjudicated: ply cap")
	}
	return game.Outcome{}, ""
}

// even reports whether each of the last n plies, at least one of them by each seat, has a
// score of at most most for either side.
func even(plies []arena.Ply, n, most int) bool {
	var seen game.Seats
	for i := range min(n, len(plies)) {
		p := &plies[len(plies)-1-i]
		if !p.Scored || max(p.Score, -p.Score) > most {
			return false
		}
		seen |= game.SeatsOf(p.Seat)
	}
	return len(plies) >= n && seen == game.Both
}

// streak reports whether each of the last n moves of seat has a score that holds.
func streak(plies []arena.Ply, seat game.Seat, n int, holds func(score int) bool) bool {
	for i := len(plies) - 1; i >= 0; i-- {
		p := &plies[i]
		if p.Seat != seat {
			continue
		}
		if !p.Scored || !holds(p.Score) {
			return false
		}
		if n--; n == 0 {
			return true
		}
	}
	return false
}
