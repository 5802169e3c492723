package report

import "fmt"

func (r *Report) roleTable() *Table {
	t := &Table{
		Name: RoleTable, Title: "Roles (games against other roles)",
		Columns: []Column{
			{Head: "Rank", Name: "rank"},
			{Head: "Role", Name: "role", Left: true},
			{Head: "Elo", Name: "elo"},
			{Head: "± 95 %"},
			{Name: "elo_lo", Mute: true},
			{Name: "elo_hi", Mute: true},
			{Head: "Games", Name: "games"},
			{Head: "Score", Name: "score"},
			{Head: "W-D-L"},
			{Name: "wins", Mute: true},
			{Name: "draws", Mute: true},
			{Name: "losses", Mute: true},
			{Head: "as first", Name: "first_score"},
			{Head: "as second", Name: "second_score"},
			{Head: "1st adds", Name: "first_advantage"},
			{Name: "first_advantage_error", Mute: true},
			{Head: "Plies", Name: "mean_plies"},
			{Head: "Depth", Name: "mean_depth"},
			{Head: "no depth", Name: "no_depth"},
			{Head: "ms/move", Name: "mean_ms"},
		},
	}
	for _, s := range r.Roles {
		t.Rows = append(t.Rows, []Cell{
			count(s.Rank), text(s.Name),
			{signed(s.Elo), raw(s.Elo)},
			text(bar(s.Elo, s.EloLo, s.EloHi)),
			{"", raw(s.EloLo)},
			{"", raw(s.EloHi)},
			count(s.Games),
			{percent(s.Score.Score), raw(s.Score.Score)},
			text(record(s.WDL)),
			count(s.Wins), count(s.Draws), count(s.Losses),
			{percent(s.FirstScore), raw(s.FirstScore)},
			{percent(s.SecondScore), raw(s.SecondScore)},
			{advantageText(s.Advantage, s.AdvantageE), raw(s.Advantage)},
			{"", raw(s.AdvantageE)},
			{fixed(s.MeanPlies, 1), raw(s.MeanPlies)},
			{fixed(s.Depth, 1), raw(s.Depth)},
			{percent(s.NoDepth), raw(s.NoDepth)},
			{fixed(s.MeanMs, 1), raw(s.MeanMs)},
		})
	}
	return t
}

// matchupTable has the score of the first seat and, where they are few, each
// engine's score in these games.
func (r *Report) matchupTable() *Table {
	t := &Table{
		Name: MatchupTable, Title: "Match-ups (score of the first seat)",
		Columns: []Column{
			{Head: "First", Name: "first", Left: true},
			{Head: "Second", Name: "second", Left: true},
			{Head: "Games", Name: "games"},
			{Head: "Score", Name: "score"},
			{Head: "± 95 %", Name: "score_error"},
			{Head: "W-D-L"},
			{Name: "wins", Mute: true},
			{Name: "draws", Mute: true},
			{Name: "losses", Mute: true},
			{Head: "Plies", Name: "mean_plies"},
		},
	}
	engines := r.Engines
	if len(engines) > maxEngineCols || len(r.Pairings) == 0 {
		engines = nil
	}
	for _, e := range engines {
		t.Columns = append(t.Columns, Column{Head: e.Name, Name: "score_of_" + e.Name})
	}
	for i := range r.Matchups {
		m := &r.Matchups[i]
		row := []Cell{
			text(m.Roles[0]), text(m.Roles[1]), count(m.Games),
			{percent(m.Score.Score), raw(m.Score.Score)},
			{scoreBar(m.ScoreError), raw(m.ScoreError)},
			text(record(m.WDL)),
			count(m.Wins), count(m.Draws), count(m.Losses),
			{fixed(m.MeanPlies, 1), raw(m.MeanPlies)},
		}
		for _, e := range engines {
			cell := Cell{none, ""}
			for _, own := range m.Engines {
				if own.Name == e.Name {
					cell = Cell{percent(own.Score), raw(own.Score)}
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func scoreBar(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("±%.1f", 100**x)
}

// advantageText is "+2.6 ±1.9", in percent.
func advantageText(x, e *float64) string {
	if x == nil {
		return none
	}
	points := 100 * *x
	return signed(&points) + " " + scoreBar(e)
}

// seatTable has each engine's games by seat.
func (r *Report) seatTable() *Table {
	t := &Table{
		Name: SeatTable, Title: "Seats",
		Columns: []Column{
			{Head: "Engine", Name: "engine", Left: true},
			{Head: "as first", Name: "first_score"},
			{Head: "W-D-L"},
			{Head: "as second", Name: "second_score"},
			{Head: "W-D-L"},
		},
	}
	for _, name := range []string{"first_wins", "first_draws", "first_losses", "second_wins", "second_draws", "second_losses"} {
		t.Columns = append(t.Columns, Column{Name: name, Mute: true})
	}
	for _, s := range r.Engines {
		a, b := s.First, s.Second
		first, second := fraction(a), fraction(b)
		t.Rows = append(t.Rows, []Cell{
			text(s.Name),
			{percent(first), raw(first)},
			text(record(a)),
			{percent(second), raw(second)},
			text(record(b)),
			count(a.Wins), count(a.Draws), count(a.Losses), count(b.Wins), count(b.Draws), count(b.Losses),
		})
	}
	return t
}
