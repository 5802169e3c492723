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
			worded("Role", "role", func(s *arena.RoleRow) string { return s.Name }),
		},
		eloColumns(score, RatedBar),
		gamesAndScore(score),
		wdlColumns(func(s *arena.RoleRow) rating.WDL { return s.WDL }),
		[]column[arena.RoleRow]{
			figure("as first", "first_score", 1, Percent, func(s *arena.RoleRow) *float64 { return s.FirstScore }),
			figure("as second", "second_score", 1, Percent, func(s *arena.RoleRow) *float64 { return s.SecondScore }),
			{head: "1st adds", name: "first_advantage", drop: 2, cell: func(s *arena.RoleRow) Cell {
				return Cell{advantageText(s.Advantage, s.AdvantageE), raw(s.Advantage)}
			}},
			hidden("first_advantage_error", func(s *arena.RoleRow) *float64 { return s.AdvantageE }),
			figure("Plies", "mean_plies", 5, oneDigit, func(s *arena.RoleRow) *float64 { return s.MeanPlies }),
			figure("Depth", "mean_depth", 7, oneDigit, func(s *arena.RoleRow) *float64 { return s.Depth }),
			figure("ms/move", "mean_ms", 6, oneDigit, func(s *arena.RoleRow) *float64 { return s.MeanMs }),
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
			worded("First", "first", func(m *arena.MatchupRow) string { return m.Roles[0] }),
			worded("Second", "second", func(m *arena.MatchupRow) string { return m.Roles[1] }),
		},
		gamesAndScore(score),
		scoreBounds(score),
		wdlColumns(func(m *arena.MatchupRow) rating.WDL { return m.WDL }),
		[]column[arena.MatchupRow]{figure("Plies", "mean_plies", 5, oneDigit, func(m *arena.MatchupRow) *float64 { return m.MeanPlies })},
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
