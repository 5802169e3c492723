package report

import (
	"fmt"

	"thera/arena/rating"
)

func (r *Report) roleTable() *Table {
	score := func(s *RoleRow) *Score { return &s.Score }
	return tableOf("Roles (games against other roles)", r.Roles,
		[]column[RoleRow]{
			{head: "Rank", name: "rank", cell: func(s *RoleRow) Cell { return count(s.Rank) }},
			{head: "Role", name: "role", kind: words, cell: func(s *RoleRow) Cell { return text(s.Name) }},
		},
		eloColumns(score, ratedBar),
		gamesAndScore(score),
		wdlColumns("", func(s *RoleRow) rating.WDL { return s.WDL }),
		[]column[RoleRow]{
			{head: "as first", name: "first_score", drop: 1, cell: func(s *RoleRow) Cell { return number(s.FirstScore, percent) }},
			{head: "as second", name: "second_score", drop: 1, cell: func(s *RoleRow) Cell { return number(s.SecondScore, percent) }},
			{head: "1st adds", name: "first_advantage", drop: 2, cell: func(s *RoleRow) Cell {
				return Cell{advantageText(s.Advantage, s.AdvantageE), raw(s.Advantage)}
			}},
			{name: "first_advantage_error", kind: csvOnly, cell: func(s *RoleRow) Cell { return bare(s.AdvantageE) }},
			{head: "Plies", name: "mean_plies", drop: 5, cell: func(s *RoleRow) Cell { return number(s.MeanPlies, oneDigit) }},
			{head: "Depth", name: "mean_depth", drop: 7, cell: func(s *RoleRow) Cell { return number(s.Depth, oneDigit) }},
			{head: "no depth", name: "no_depth", drop: 8, cell: func(s *RoleRow) Cell { return number(s.NoDepth, percent) }},
			{head: "ms/move", name: "mean_ms", drop: 6, cell: func(s *RoleRow) Cell { return number(s.MeanMs, oneDigit) }},
			{
				head: "CPU ms/move", name: "mean_cpu_ms", drop: 9, cell: func(s *RoleRow) Cell { return number(s.MeanCPUMs, oneDigit) },
				shown: func([]RoleRow) bool { return anyRow(func(s *EngineRow) bool { return s.cpuLimited })(r.Engines) },
			},
		})
}

// matchupTable shows the score of the first seat and, if there are few engines,
// the score of each.
func (r *Report) matchupTable() *Table {
	score := func(m *MatchupRow) *Score { return &m.Score }
	var engines []column[MatchupRow]
	if len(r.Engines) <= maxEngineCols && len(r.Pairings) > 0 {
		for _, name := range r.engineNames() {
			engines = append(engines, column[MatchupRow]{head: name, name: "score_of_" + name, drop: 4, cell: func(m *MatchupRow) Cell {
				for _, own := range m.Engines {
					if own.Name == name {
						return number(own.Score, percent)
					}
				}
				return number(nil, percent)
			}})
		}
	}
	return tableOf("Match-ups (score of the first seat)", r.Matchups,
		[]column[MatchupRow]{
			{head: "First", name: "first", kind: words, cell: func(m *MatchupRow) Cell { return text(m.Roles[0]) }},
			{head: "Second", name: "second", kind: words, cell: func(m *MatchupRow) Cell { return text(m.Roles[1]) }},
		},
		gamesAndScore(score),
		scoreError(score),
		wdlColumns("", func(m *MatchupRow) rating.WDL { return m.WDL }),
		[]column[MatchupRow]{{head: "Plies", name: "mean_plies", drop: 5, cell: func(m *MatchupRow) Cell { return number(m.MeanPlies, oneDigit) }}},
		engines)
}

func scoreBar(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("±%.1f", 100**x)
}

// advantageText formats an advantage in percent, as "+2.6 ±1.9".
func advantageText(x, e *float64) string {
	if x == nil {
		return none
	}
	points := 100 * *x
	return signed(&points) + " " + scoreBar(e)
}
