package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// The tables that need more than a summary.
const (
	OpeningTable = "openings" // of Summary.Openings
	WorkerTable  = "workers"  // of Summary.Workers
)

const (
	maxCross      = 12 // engines in a crosstable
	maxPairings   = 40
	maxMatchups   = 40
	maxEngineCols = 4 // engines with a column in match-ups
)

// tables lists all tables by their names for --table.
var tables = []struct {
	name string
	make func(*Report) *Table
}{
	{"ranking", (*Report).ranking},
	{"cross", (*Report).cross},
	{"pairings", (*Report).pairingTable},
	{"roles", (*Report).roleTable},
	{"matchups", (*Report).matchupTable},
	{"ends", (*Report).endTable},
	{"warnings", (*Report).warningTable},
	{"los", (*Report).losTable},
	{"standings", (*Report).standingsTable},
	{OpeningTable, (*Report).openingTable},
	{"matrix", (*Report).matrixTable},
	{WorkerTable, (*Report).workerTable},
}

// TableNames returns the names of all tables.
func TableNames() []string {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

// Table returns the table of that name with all its rows.
func (r *Report) Table(name string) (*Table, error) {
	for _, t := range tables {
		if t.name == name {
			made := t.make(r)
			made.Name = name
			return made, nil
		}
	}
	return nil, arena.Unknown("table", name, TableNames())
}

func (r *Report) ranking() *Table {
	t := tableOf("Ranking", r.Engines, rankingColumns(r.Engines)...)
	t.Notes = append(r.noRank(), r.doubts()...)
	return t
}

// noRank says which engines are not in a ranking.
func (r *Report) noRank() []string {
	var notes []string
	for i := range r.Dead {
		notes = append(notes, "no rank: "+r.Dead[i].Text)
	}
	return notes
}

// warnings are those that do not stand below a table.
func (r *Report) warnings() []string {
	var lines []string
	for _, w := range r.WarningList {
		if w.Kind != arena.WarnExtended {
			lines = append(lines, "Warning: "+w.Text)
		}
	}
	return lines
}

// doubts are what makes the bounds of a table less than they seem.
func (r *Report) doubts() []string {
	var notes []string
	for _, w := range r.WarningList {
		if w.Kind == arena.WarnExtended {
			notes = append(notes, w.Text)
		}
	}
	return notes
}

func rankingColumns(rows []arena.EngineRow) [][]column[arena.EngineRow] {
	score := func(s *arena.EngineRow) *arena.Score { return &s.Score }
	return [][]column[arena.EngineRow]{
		{
			{head: "Rank", name: "rank", cell: func(s *arena.EngineRow) Cell { return count(s.Rank) }},
			worded("Engine", "engine", func(s *arena.EngineRow) string { return s.Name }),
		},
		eloColumns(score, RatedBar),
		gamesAndScore(score),
		wdlColumns(func(s *arena.EngineRow) rating.WDL { return s.WDL }),
		{
			figure("Depth", "mean_depth", 7, oneDigit, func(s *arena.EngineRow) *float64 { return s.Depth }),
			figure("ms/move", "mean_ms", 6, oneDigit, func(s *arena.EngineRow) *float64 { return s.MeanMs }),
			figure("CPU ms/move", "mean_cpu_ms", 8, oneDigit, func(s *arena.EngineRow) *float64 { return s.MeanCPUMs }).
				only(func(s *arena.EngineRow) bool { return s.CPULimited }),
			hidden("mean_nodes", func(s *arena.EngineRow) *float64 { return s.MeanNodes }),
			figure("Idle ms", "idle_ms", 9, oneDigit, func(s *arena.EngineRow) *float64 { return s.IdleMs }).
				only(func(s *arena.EngineRow) bool { return s.IdleMs != nil && *s.IdleMs >= 0.5 }),
			{
				head: "Faults", name: "faults", cell: func(s *arena.EngineRow) Cell { return count(s.Faults) },
				shown: anyRow(func(s *arena.EngineRow) bool { return s.Faults > 0 }),
			},
		},
		ownColumns(rows, func(s *arena.EngineRow) *arena.Own { return s.Own }),
	}
}

func (r *Report) engineNames() []string {
	var names []string
	for i := range r.Engines {
		names = append(names, r.Engines[i].Name)
	}
	return names
}

// cross shows each engine's points against each other engine.
func (r *Report) cross() *Table {
	cells := map[[2]string]Cell{}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		a, b := float64(p.Wins)+float64(p.Draws)/2, float64(p.Losses)+float64(p.Draws)/2
		cells[p.Engines] = text(fmt.Sprintf("%g/%d", a, p.Games))
		cells[[2]string{p.Engines[1], p.Engines[0]}] = text(fmt.Sprintf("%g/%d", b, p.Games))
	}
	return matrixOf("Crosstable (points / games)", r.engineNames(), func(row, col string) Cell { return cells[[2]string{row, col}] })
}

// losTable shows the probability that each engine is stronger than each other
// engine.
func (r *Report) losTable() *Table {
	table := r.sum.Ratings
	if table == nil {
		table = &rating.Ratings{}
	}
	return Superiority(table)
}

func (r *Report) pairingTable() *Table {
	score := func(p *arena.PairingRow) *arena.Score { return &p.Score }
	t := tableOf("Pairings", r.Pairings,
		[]column[arena.PairingRow]{
			worded("Engine", "engine_a", func(p *arena.PairingRow) string { return p.Engines[0] }),
			worded("against", "engine_b", func(p *arena.PairingRow) string { return p.Engines[1] }),
		},
		gamesAndScore(score),
		wdlColumns(func(p *arena.PairingRow) rating.WDL { return p.WDL }),
		[]column[arena.PairingRow]{{
			head: "Pairs 0-½-1-1½-2", name: "pairs", kind: words, drop: 4, cell: func(p *arena.PairingRow) Cell { return text(pairsText(p.Pairs)) },
			shown: anyRow(func(p *arena.PairingRow) bool { return p.Pairs != nil }),
		}},
		eloColumns(score, eloBar),
		[]column[arena.PairingRow]{
			figure("nElo", "nelo", 6, Signed, func(p *arena.PairingRow) *float64 { return p.Nelo }),
			figure("LOS", "los", 3, Percent, func(p *arena.PairingRow) *float64 { return p.LOS }),
			figure("Plies", "mean_plies", 7, oneDigit, func(p *arena.PairingRow) *float64 { return p.MeanPlies }),
		},
		ownColumns(r.Pairings, func(p *arena.PairingRow) *arena.Own { return p.Own }))
	t.Notes = r.doubts()
	return t
}

func pairsText(p *rating.Penta) string {
	if p == nil {
		return none
	}
	return fmt.Sprintf("%d-%d-%d-%d-%d", p[0], p[1], p[2], p[3], p[4])
}

func (r *Report) endTable() *Table {
	sources := map[arena.Source]string{arena.Natural: "rules", arena.Adjudicated: "adjudication", arena.Faulted: "fault", arena.Unrated: "nobody"}
	return tableOf("How games ended", r.Ends, []column[arena.EndCount]{
		{head: "Games", name: "games", cell: func(e *arena.EndCount) Cell { return count(e.Games) }},
		{head: "by", name: "source", kind: words, drop: 1, cell: func(e *arena.EndCount) Cell { return Cell{sources[e.Source], string(e.Source)} }},
		{
			head: "Engine at fault", name: "engine", kind: words, cell: func(e *arena.EndCount) Cell { return text(e.Engine) },
			shown: anyRow(func(e *arena.EndCount) bool { return e.Engine != "" }),
		},
		{head: "Reason", name: "reason", kind: folded, cell: func(e *arena.EndCount) Cell { return text(e.Reason) }},
		{head: "such as", name: "example", kind: words, cell: func(e *arena.EndCount) Cell { return Cell{arena.Short(e.Example), e.Example} }},
	})
}

func (r *Report) warningTable() *Table {
	return tableOf("Warnings on games", r.Noted, []column[arena.WarningCount]{
		{head: "Games", name: "count", cell: func(w *arena.WarningCount) Cell { return count(w.Count) }},
		{head: "Warning", name: "kind", kind: folded, cell: func(w *arena.WarningCount) Cell { return text(w.Kind) }},
		{head: "such as", name: "example", kind: folded, cell: func(w *arena.WarningCount) Cell {
			if w.Example == w.Kind {
				return Cell{"", w.Example}
			}
			return Cell{cut(w.Example, 70), w.Example}
		}},
	})
}
