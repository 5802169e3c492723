package match

import (
	"thera/arena"
	"thera/engine/game"
)

// adjudicate ends a game that the plan's adjudication rules decide.
func (m *Match) adjudicate() {
	end := func(winner game.Seat, reason string) {
		m.verdict = &verdict{outcome: game.Outcome{Winner: winner, Reason: reason}, source: arena.Adjudicated}
	}
	a := &m.adjudge
	if prover, ok := m.game.(game.Prover); ok && a.Tables {
		if outcome, proven := prover.Proven(m.line.Position); proven {
			end(outcome.Winner, "adjudicated: table")
			return
		}
	}
	if a.WinPlies > 0 {
		for _, seat := range [2]game.Seat{game.First, game.Second} {
			if m.agreed(a.WinPlies, func(p *arena.Ply) bool {
				return p.Seat == seat && p.Score >= a.WinScore || p.Seat != seat && -p.Score >= a.WinScore
			}) {
				end(seat, "adjudicated: both sides see a win")
				return
			}
		}
	}
	if a.ResignMoves > 0 {
		for _, seat := range [2]game.Seat{game.First, game.Second} {
			if m.streak(seat, a.ResignMoves, func(score int) bool { return -score >= a.ResignScore }) &&
				(!a.ResignBoth || m.streak(seat.Other(), a.ResignMoves, func(score int) bool { return score >= a.ResignScore })) {
				end(seat.Other(), "adjudicated: resigned by its scores")
				return
			}
		}
	}
	if a.DrawPlies > 0 && m.line.Ply >= a.DrawAfter && m.agreed(a.DrawPlies, func(p *arena.Ply) bool {
		return max(p.Score, -p.Score) <= a.DrawScore
	}) {
		end(game.None, "adjudicated: both sides see a draw")
		return
	}
	if a.MaxPlies > 0 && m.line.Ply >= a.MaxPlies {
		end(game.None, "adjudicated: ply cap")
	}
}

// agreed reports whether each of the last n plies, with at least one of each
// seat, has a score that holds.
func (m *Match) agreed(n int, holds func(*arena.Ply) bool) bool {
	plies := m.rec.Plies
	if len(plies) < n {
		return false
	}
	var seen game.Seats
	for i := len(plies) - n; i < len(plies); i++ {
		if !plies[i].Scored || !holds(&plies[i]) {
			return false
		}
		seen |= game.SeatsOf(plies[i].Seat)
	}
	return seen == game.Both
}

// streak reports whether each of the last n moves of seat has a score that holds.
func (m *Match) streak(seat game.Seat, n int, holds func(score int) bool) bool {
	for i := len(m.rec.Plies) - 1; i >= 0; i-- {
		p := &m.rec.Plies[i]
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
