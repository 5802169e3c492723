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
			return t.make(r), nil
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
			{head: "Engine", name: "engine", kind: words, cell: func(s *arena.EngineRow) Cell { return text(s.Name) }},
		},
		eloColumns(score, RatedBar),
		gamesAndScore(score),
		wdlColumns(func(s *arena.EngineRow) rating.WDL { return s.WDL }),
		{
			{head: "Depth", name: "mean_depth", drop: 7, cell: func(s *arena.EngineRow) Cell { return number(s.Depth, oneDigit) }},
			{head: "ms/move", name: "mean_ms", drop: 6, cell: func(s *arena.EngineRow) Cell { return number(s.MeanMs, oneDigit) }},
			{
				head: "CPU ms/move", name: "mean_cpu_ms", drop: 8, cell: func(s *arena.EngineRow) Cell { return number(s.MeanCPUMs, oneDigit) },
				shown: anyRow(func(s *arena.EngineRow) bool { return s.CPULimited }),
			},
			{name: "mean_nodes", kind: csvOnly, cell: func(s *arena.EngineRow) Cell { return bare(s.MeanNodes) }},
			{
				head: "Idle ms", name: "idle_ms", drop: 9, cell: func(s *arena.EngineRow) Cell { return number(s.IdleMs, oneDigit) },
				shown: anyRow(func(s *arena.EngineRow) bool { return s.IdleMs != nil && *s.IdleMs >= 0.5 }),
			},
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
			{head: "Engine", name: "engine_a", kind: words, cell: func(p *arena.PairingRow) Cell { return text(p.Engines[0]) }},
			{head: "against", name: "engine_b", kind: words, cell: func(p *arena.PairingRow) Cell { return text(p.Engines[1]) }},
		},
		gamesAndScore(score),
		wdlColumns(func(p *arena.PairingRow) rating.WDL { return p.WDL }),
		[]column[arena.PairingRow]{{
			head: "Pairs 0-½-1-1½-2", name: "pairs", kind: words, drop: 4, cell: func(p *arena.PairingRow) Cell { return text(pairsText(p.Pairs)) },
			shown: anyRow(func(p *arena.PairingRow) bool { return p.Pairs != nil }),
		}},
		eloColumns(score, eloBar),
		[]column[arena.PairingRow]{
			{head: "nElo", name: "nelo", drop: 6, cell: func(p *arena.PairingRow) Cell { return number(p.Nelo, Signed) }},
			{head: "LOS", name: "los", drop: 3, cell: func(p *arena.PairingRow) Cell { return number(p.LOS, Percent) }},
			{head: "Plies", name: "mean_plies", drop: 7, cell: func(p *arena.PairingRow) Cell { return number(p.MeanPlies, oneDigit) }},
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
