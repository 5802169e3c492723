package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

func (r *Report) roleTable() *Table {
	score := func(s *arena.RoleRow) *arena.Score { return &s.Score }
	return tableOf("Roles (games against other roles)", r.Roles,
		[]column[arena.RoleRow]{
			{head: "Rank", name: "rank", cell: func(s *arena.RoleRow) Cell { return count(s.Rank) }},
			{head: "Role", name: "role", kind: words, cell: func(s *arena.RoleRow) Cell { return text(s.Name) }},
		},
		eloColumns(score, RatedBar),
		gamesAndScore(score),
		wdlColumns(func(s *arena.RoleRow) rating.WDL { return s.WDL }),
		[]column[arena.RoleRow]{
			{head: "as first", name: "first_score", drop: 1, cell: func(s *arena.RoleRow) Cell { return number(s.FirstScore, Percent) }},
			{head: "as second", name: "second_score", drop: 1, cell: func(s *arena.RoleRow) Cell { return number(s.SecondScore, Percent) }},
			{head: "1st adds", name: "first_advantage", drop: 2, cell: func(s *arena.RoleRow) Cell {
				return Cell{advantageText(s.Advantage, s.AdvantageE), raw(s.Advantage)}
			}},
			{name: "first_advantage_error", kind: csvOnly, cell: func(s *arena.RoleRow) Cell { return bare(s.AdvantageE) }},
			{head: "Plies", name: "mean_plies", drop: 5, cell: func(s *arena.RoleRow) Cell { return number(s.MeanPlies, oneDigit) }},
			{head: "Depth", name: "mean_depth", drop: 7, cell: func(s *arena.RoleRow) Cell { return number(s.Depth, oneDigit) }},
			{head: "ms/move", name: "mean_ms", drop: 6, cell: func(s *arena.RoleRow) Cell { return number(s.MeanMs, oneDigit) }},
		})
}

// matchupTable shows the score of the first seat and, if there are few engines,
// the score of each.
func (r *Report) matchupTable() *Table {
	score := func(m *arena.MatchupRow) *arena.Score { return &m.Score }
	var engines []column[arena.MatchupRow]
	if len(r.Engines) <= maxEngineCols && len(r.Pairings) > 0 {
		for _, name := range r.engineNames() {
			engines = append(engines, column[arena.MatchupRow]{head: name, name: "score_of_" + name, drop: 4, cell: func(m *arena.MatchupRow) Cell {
				for _, own := range m.Engines {
					if own.Name == name {
						return number(own.Score, Percent)
					}
				}
				return number(nil, Percent)
			}})
		}
	}
	return tableOf("Match-ups (score of the first seat)", r.Matchups,
		[]column[arena.MatchupRow]{
			{head: "First", name: "first", kind: words, cell: func(m *arena.MatchupRow) Cell { return text(m.Roles[0]) }},
			{head: "Second", name: "second", kind: words, cell: func(m *arena.MatchupRow) Cell { return text(m.Roles[1]) }},
		},
		gamesAndScore(score),
		scoreBounds(score),
		wdlColumns(func(m *arena.MatchupRow) rating.WDL { return m.WDL }),
		[]column[arena.MatchupRow]{{head: "Plies", name: "mean_plies", drop: 5, cell: func(m *arena.MatchupRow) Cell { return number(m.MeanPlies, oneDigit) }}},
		engines)
}

// advantageText formats an advantage in percent, as "+2.6 ±1.9".
func advantageText(x, e *float64) string {
	if x == nil || e == nil {
		return none
	}
	points := 100 * *x
	return fmt.Sprintf("%s ±%.1f", Signed(&points), 100**e)
}
