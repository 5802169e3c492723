package report

import (
	"fmt"
	"slices"
	"strings"

	"thera/arena"
)

// The names of tables, as --table takes them.
const (
	RankingTable   = "ranking"
	CrossTable     = "cross"
	PairingTable   = "pairings"
	RoleTable      = "roles"
	MatchupTable   = "matchups"
	EndTable       = "ends"
	WarningTable   = "warnings"
	LOSTable       = "los"
	SeatTable      = "seats"
	StandingsTable = "standings"
	OpeningTable   = "openings" // filled by AddOpenings
	MatrixTable    = "matrix"
	ExtremeTable   = "extremes"
	ChangeTable    = "changes" // against a baseline
	maxCross       = 12        // engines of a crosstable in a terminal
	maxPairings    = 40
	maxMatchups    = 40
	maxEngineCols  = 4 // engines with a column of their own in match-ups
)

// TableNames lists them.
func TableNames() []string {
	return []string{RankingTable, CrossTable, PairingTable, RoleTable, MatchupTable, EndTable, WarningTable, LOSTable, StandingsTable, SeatTable, OpeningTable, MatrixTable, ExtremeTable, ChangeTable}
}

// Table is one table of the report by its name, whole.
func (r *Report) Table(name string) (*Table, error) {
	switch name {
	case RankingTable:
		return r.ranking(), nil
	case CrossTable:
		return r.cross(), nil
	case PairingTable:
		return r.pairingTable(), nil
	case RoleTable:
		return r.roleTable(), nil
	case MatchupTable:
		return r.matchupTable(), nil
	case EndTable:
		return r.endTable(), nil
	case WarningTable:
		return r.warningTable(), nil
	case LOSTable:
		return r.losTable(), nil
	case StandingsTable:
		return r.standingsTable(), nil
	case SeatTable:
		return r.seatTable(), nil
	case OpeningTable:
		return r.openingTable(), nil
	case MatrixTable:
		return r.matrixTable(), nil
	case ExtremeTable:
		return r.extremeTable(), nil
	case ChangeTable:
		return r.changeTable(), nil
	}
	return nil, fmt.Errorf("unknown table %q (known: %s)", name, strings.Join(TableNames(), ", "))
}

func (r *Report) ranking() *Table {
	t := &Table{
		Name: RankingTable, Title: "Ranking",
		Columns: []Column{
			{Head: "Rank", Name: "rank"},
			{Head: "Engine", Name: "engine", Left: true},
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
			{Head: "Depth", Name: "mean_depth"},
			{Head: "ms/move", Name: "mean_ms"},
			{Name: "mean_cpu_ms", Mute: true},
			{Name: "mean_nodes", Mute: true},
			{Head: "Idle ms", Name: "idle_ms", Mute: !r.idle()},
			{Head: "Faults", Name: "faults", Mute: !slices.ContainsFunc(r.Engines, func(s Standing) bool { return s.Faults > 0 })},
		},
	}
	for _, s := range r.Engines {
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
			{fixed(s.Depth, 1), raw(s.Depth)},
			{fixed(s.MeanMs, 1), raw(s.MeanMs)},
			{"", raw(s.MeanCPUMs)},
			{"", raw(s.MeanNodes)},
			{fixed(s.IdleMs, 1), raw(s.IdleMs)},
			count(s.Faults),
		})
	}
	t.own(func(i int) *Own { return r.Engines[i].Own })
	return t
}

// own adds the columns of the game's own points, if it has any.
func (t *Table) own(of func(row int) *Own) {
	found := false
	for i := range t.Rows {
		found = found || of(i) != nil
	}
	if !found {
		return
	}
	t.Columns = append(t.Columns, Column{Head: "Points", Name: "points_share"}, Column{Head: "Margin", Name: "points_margin"})
	for i := range t.Rows {
		var share, margin *float64
		if o := of(i); o != nil {
			share, margin = &o.Share, &o.Margin
		}
		t.Rows[i] = append(t.Rows[i], Cell{percent(share), raw(share)}, Cell{signed(margin), raw(margin)})
	}
}

// idle says that an engine used CPU outside its turns, half a millisecond a
// move or more.
func (r *Report) idle() bool {
	return slices.ContainsFunc(r.Engines, func(s Standing) bool { return s.IdleMs != nil && *s.IdleMs >= 0.5 })
}

// cross has each engine's points against each other one.
func (r *Report) cross() *Table {
	t := &Table{Name: CrossTable, Title: "Crosstable (points / games)", Columns: []Column{{Head: "", Name: "engine", Left: true}}}
	cells := map[[2]string]Cell{}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		a, b := float64(p.Wins)+float64(p.Draws)/2, float64(p.Losses)+float64(p.Draws)/2
		cells[p.Engines] = text(fmt.Sprintf("%g/%d", a, p.Games))
		cells[[2]string{p.Engines[1], p.Engines[0]}] = text(fmt.Sprintf("%g/%d", b, p.Games))
	}
	for _, s := range r.Engines {
		t.Columns = append(t.Columns, Column{Head: s.Name, Name: s.Name})
	}
	for _, s := range r.Engines {
		row := []Cell{text(s.Name)}
		for _, o := range r.Engines {
			cell, ok := cells[[2]string{s.Name, o.Name}]
			if !ok || s.Name == o.Name {
				cell = Cell{"", ""}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *Report) pairingTable() *Table {
	t := &Table{
		Name: PairingTable, Title: "Pairings",
		Columns: []Column{
			{Head: "Engine", Name: "engine_a", Left: true},
			{Head: "against", Name: "engine_b", Left: true},
			{Head: "Games", Name: "games"},
			{Head: "Score", Name: "score"},
			{Head: "W-D-L"},
			{Name: "wins", Mute: true},
			{Name: "draws", Mute: true},
			{Name: "losses", Mute: true},
			{Head: "Pairs 0-½-1-1½-2", Name: "pairs", Left: true, Mute: !slices.ContainsFunc(r.Pairings, func(p Pairing) bool { return p.Pairs != nil })},
			{Head: "Elo", Name: "elo"},
			{Head: "± 95 %"},
			{Name: "elo_lo", Mute: true},
			{Name: "elo_hi", Mute: true},
			{Head: "nElo", Name: "nelo"},
			{Head: "LOS", Name: "los"},
			{Head: "Plies", Name: "mean_plies"},
		},
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		t.Rows = append(t.Rows, []Cell{
			text(p.Engines[0]), text(p.Engines[1]), count(p.Games),
			{percent(p.Score.Score), raw(p.Score.Score)},
			text(record(p.WDL)),
			count(p.Wins), count(p.Draws), count(p.Losses),
			text(pairsText(p.Pairs)),
			{signed(p.Elo), raw(p.Elo)},
			text(eloBar(&p.Score)),
			{"", raw(p.EloLo)},
			{"", raw(p.EloHi)},
			{signed(p.Nelo), raw(p.Nelo)},
			{percent(p.LOS), raw(p.LOS)},
			{fixed(p.MeanPlies, 1), raw(p.MeanPlies)},
		})
	}
	t.own(func(i int) *Own { return r.Pairings[i].Own })
	return t
}

func pairsText(p *[5]int) string {
	if p == nil {
		return none
	}
	return fmt.Sprintf("%d-%d-%d-%d-%d", p[0], p[1], p[2], p[3], p[4])
}

func (r *Report) endTable() *Table {
	t := &Table{
		Name: EndTable, Title: "How games ended",
		Columns: []Column{
			{Head: "Games", Name: "games"},
			{Head: "by", Name: "source", Left: true},
			{Head: "Engine at fault", Name: "engine", Left: true, Mute: !slices.ContainsFunc(r.Ends, func(e End) bool { return e.Engine != "" })},
			{Head: "Reason", Name: "reason", Left: true},
			{Head: "such as", Name: "example", Left: true},
		},
	}
	for _, e := range r.Ends {
		source := map[arena.Source]string{arena.Natural: "rules", arena.Adjudicated: "adjudication", arena.Faulted: "fault"}[e.Source]
		t.Rows = append(t.Rows, []Cell{count(e.Games), {source, string(e.Source)}, text(e.Engine), text(e.Reason), {Short(e.Example), e.Example}})
	}
	return t
}

// Short is how tables show a game's identity: enough of it to name the game.
func Short(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

func (r *Report) warningTable() *Table {
	t := &Table{
		Name: WarningTable, Title: "Warnings on games",
		Columns: []Column{{Head: "Times", Name: "count"}, {Head: "Warning", Name: "kind", Left: true}, {Head: "such as", Name: "example", Left: true}},
	}
	for _, w := range r.Noted {
		example := w.Example
		if example == w.Kind {
			example = ""
		}
		t.Rows = append(t.Rows, []Cell{count(w.Count), text(w.Kind), {clip(example, 70), w.Example}})
	}
	return t
}

// clip shortens a text to so many characters.
func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// losTable has the probability that each engine is stronger than each other.
func (r *Report) losTable() *Table {
	t := &Table{Name: LOSTable, Title: "Probability to be the stronger (%)", Columns: []Column{{Head: "", Name: "engine", Left: true}}}
	for _, s := range r.Engines {
		t.Columns = append(t.Columns, Column{Head: s.Name, Name: s.Name})
	}
	for _, s := range r.Engines {
		row := []Cell{text(s.Name)}
		for _, o := range r.Engines {
			cell := Cell{"", ""}
			if p, ok := r.los(s.Name, o.Name); ok {
				cell = Cell{share(&p), raw(&p)}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
