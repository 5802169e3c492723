package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/remote/keys"
	"thera/engine/game"
)

// The tables that need more than a summary.
const (
	WorkerTable = "workers" // of Summary.Workers
	LeagueTable = "league"  // of EngineRow.SlowestMs
)

const (
	maxCross      = 12 // engines in a crosstable
	maxPairings   = 40
	maxMatchups   = 40
	maxEngineCols = 4 // engines with a column in match-ups
)

// tables lists all tables by their names for --table.
var tables = []kind{
	{"ranking", (*Report).ranking},
	{"cross", (*Report).cross},
	{"pairings", (*Report).pairingTable},
	{"roles", (*Report).roleTable},
	{"matchups", (*Report).matchupTable},
	{"ends", (*Report).endTable},
	{"warnings", (*Report).warningTable},
	{"standings", (*Report).standingsTable},
	{LeagueTable, (*Report).leagueTable},
	{"matrix", (*Report).matrixTable},
	{WorkerTable, (*Report).workerTable},
}

// TableNames returns the names of all tables.
func TableNames() []string { return arena.Map(tables, func(k kind) string { return k.name }) }

type kind struct {
	name string
	make func(*Report) *Table
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
	return nil, game.Unknown("table", name, TableNames())
}

func (r *Report) ranking() *Table {
	t := tableOf("Ranking", r.Engines, rankingLine)
	t.Notes = append(r.noRank(), r.warnings(true)...)
	return t
}

// noRank says which engines are not in a ranking.
func (r *Report) noRank() []string {
	return arena.Map(r.Dead, func(d arena.Dead) string { return "no rank: " + d.Text })
}

// marked puts a mark before texts.
func marked(mark string, texts []string) []string {
	return arena.Map(texts, func(text string) string { return mark + text })
}

// warnings returns those that stand below a table, because they make its bounds less than
// they seem, or the others.
func (r *Report) warnings(table bool) []string {
	var texts []string
	for _, w := range r.Warnings {
		if table == (w.Kind == arena.WarnExtended) {
			texts = append(texts, w.Text)
		}
	}
	return texts
}

func rankingLine(l *line, e *arena.EngineRow) {
	l.count("Rank", "rank", e.Rank)
	l.word("Engine", "engine", e.Name)
	l.elo(&e.Score, ratedBar)
	l.score(&e.Score)
	l.wdl(e.WDL)
	l.figure("Depth", "mean_depth", e.Depth, oneDigit).Drop = 7
	l.figure("ms/move", "mean_ms", e.MeanMs, oneDigit).Drop = 6
	cpu := l.figure("CPU ms/move", "mean_cpu_ms", e.MeanCPUMs, oneDigit)
	cpu.Drop = 8
	cpu.only(e.CPULimited)
	l.hidden("mean_nodes", e.MeanNodes)
	idle := l.figure("Idle ms", "idle_ms", e.IdleMs, oneDigit)
	idle.Drop = 9
	idle.only(e.IdleMs != nil && *e.IdleMs >= 0.5)
	l.count("Faults", "faults", e.Faults).only(e.Faults > 0)
	l.points(e.Points)
}

func (r *Report) engineNames() []string {
	return arena.Map(r.Engines, func(e arena.EngineRow) string { return e.Name })
}

// cross shows each engine's points against each other engine.
func (r *Report) cross() *Table {
	cells := map[[2]string]Cell{}
	for _, p := range r.Pairings {
		a, b := float64(p.Wins)+float64(p.Draws)/2, float64(p.Losses)+float64(p.Draws)/2
		cells[p.Engines] = text(fmt.Sprintf("%g/%d", a, p.Games))
		cells[[2]string{p.Engines[1], p.Engines[0]}] = text(fmt.Sprintf("%g/%d", b, p.Games))
	}
	return matrixOf("Crosstable (points / games)", r.engineNames(), func(row, col string) Cell { return cells[[2]string{row, col}] })
}

func (r *Report) pairingTable() *Table {
	t := tableOf("Pairings", r.Pairings, func(l *line, p *arena.PairingRow) {
		l.word("Engine", "engine_a", p.Engines[0])
		l.word("against", "engine_b", p.Engines[1])
		l.score(&p.Score)
		l.wdl(p.WDL)
		pairs := l.word("Pairs 0-½-1-1½-2", "pairs", pairsText(p.Pairs))
		pairs.Drop = 4
		pairs.only(p.Pairs != nil)
		l.elo(&p.Score, eloBar)
		l.figure("nElo", "nelo", p.Nelo, signed).Drop = 6
		l.figure("LOS", "los", p.LOS, Percent).Drop = 3
		l.figure("Plies", "mean_plies", p.MeanPlies, oneDigit).Drop = 7
		l.points(p.Points)
	})
	t.Notes = r.warnings(true)
	return t
}

func pairsText(p *rating.Penta) string {
	if p == nil {
		return none
	}
	return fmt.Sprintf("%d-%d-%d-%d-%d", p[0], p[1], p[2], p[3], p[4])
}

func (r *Report) endTable() *Table {
	sources := map[arena.Source]string{
		arena.Natural: "rules", arena.Adjudicated: "adjudication", arena.Faulted: "fault", arena.Unrated: "nobody",
	}
	return tableOf("How games ended", r.Ends, func(l *line, e *arena.EndCount) {
		l.count("Games", "games", e.Games)
		l.add(Heading{Head: "by", Name: "source", Left: true, Drop: 1}, Cell{sources[e.Source], string(e.Source)})
		l.word("Engine at fault", "engine", e.Engine).only(e.Engine != "")
		l.long("Reason", "reason", e.Reason)
		l.add(Heading{Head: "such as", Name: "example", Left: true}, Cell{arena.Short(e.Example), e.Example})
	})
}

func (r *Report) warningTable() *Table {
	return tableOf("Warnings on games", r.Noted, func(l *line, w *arena.WarningCount) {
		l.count("Games", "count", w.Count)
		l.long("Warning", "kind", w.Kind)
		example := cut(w.Example, 70)
		if w.Example == w.Kind {
			example = ""
		}
		l.add(Heading{Head: "such as", Name: "example", Left: true, Wrap: true}, Cell{example, w.Example})
	})
}

func (r *Report) standingsTable() *Table {
	t := tableOf("Standings", r.Standings, func(l *line, p *arena.Standing) {
		l.count("Place", "place", p.Place)
		l.word("Engine", "engine", p.Engine)
		l.count("Points", "points", p.Points)
		l.count("Wins", "wins", p.Wins)
		buchholz := l.count("Buchholz", "buchholz", p.Buchholz)
		buchholz.Drop = 1
		buchholz.only(p.Buchholz != 0) // a Swiss has it
		l.long("Remark", "remark", p.Note)
	})
	t.Notes = r.noRank()
	return t
}

func (r *Report) workerTable() *Table {
	return tableOf("Workers", r.Workers, func(l *line, w *arena.WorkerRow) {
		l.add(Heading{Head: "Worker", Name: "worker", Left: true}, Cell{cmp.Or(w.Worker, "this machine"), w.Worker})
		l.count("Games", "games", w.Games)
		l.count("", "moves", w.Moves).Mute = true
		l.figure("Moves/s", "moves_per_second", w.MovesPerSecond, oneDigit).Drop = 5
		l.count("Faults", "faults", w.Faults).Drop = 1
		l.count("Void", "voided", w.Voided).Drop = 2
		l.count("Refused", "refused", w.Refused)
		l.count("Excluded", "excluded", w.Excluded).only(w.Excluded > 0)
		l.count("Audited", "audited", w.Audited)
		l.count("differ", "differ", w.Differ)
		l.count("undecided", "undecided", w.Undecided).only(w.Undecided > 0)
		finding := ""
		if w.Expelled {
			finding = "expelled"
		}
		l.word("", "finding", finding).only(w.Expelled)
	})
}

// Place says in a sentence how an engine did.
func (r *Report) Place(e *arena.EngineRow) string {
	text := fmt.Sprintf("%s is %d of %d: %g points of %s (%s)", e.Name, e.Rank, len(r.Engines),
		float64(e.Wins)+float64(e.Draws)/2, arena.Plural(e.Games, "game"), record(e.WDL))
	if e.Elo != nil {
		text += fmt.Sprintf(", %s Elo (95 %%: %s)", signed(e.Elo), ratedBar(&e.Score))
	}
	return Printable(text + ".")
}

// PairingsOf is the table of an engine's pairings.
func (r *Report) PairingsOf(engine string) *Table {
	t := r.pairingTable()
	a, b := t.column("engine_a"), t.column("engine_b")
	t.Rows = slices.DeleteFunc(t.Rows, func(row []Cell) bool { return row[a].Raw != engine && row[b].Raw != engine })
	return t.View()
}

// column is the place of a column by its name, which the table has.
func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Heads, func(h Heading) bool { return h.Name == name })
}

// Command is a command line as a shell reads it, for people.
func Command(words []string) string { return Printable(shellquote.Join(words...)) }

// leagueTable has one row for each engine, with all that a league publishes of it.
func (r *Report) leagueTable() *Table {
	faults := map[string][]string{}
	for _, e := range r.Ends {
		if e.Source == arena.Faulted {
			faults[e.Engine] = append(faults[e.Engine], fmt.Sprintf("%d %s", e.Games, e.Reason))
		}
	}
	t := tableOf("League", r.Engines, func(l *line, e *arena.EngineRow) {
		l.count("Rank", "rank", e.Rank)
		l.word("Engine", "engine", e.Name)
		l.count("Points", "points", float64(e.Wins)+float64(e.Draws)/2)
		l.count("Games", "games", e.Games)
		l.wdl(e.WDL)
		l.elo(&e.Score, ratedBar)
		l.long("Faults", "faults", strings.Join(faults[e.Name], ", "))
		l.figure("Slowest ms", "slowest_ms", e.SlowestMs, oneDigit).Drop = 4
		l.word("Version", "version", fmt.Sprintf("%.8s", e.Binary)).Drop = 5
	})
	t.Notes = r.noRank()
	if both := faults[""]; len(both) > 0 {
		t.Notes = append(t.Notes, "of two engines at once: "+strings.Join(both, ", "))
	}
	return t
}

// Catalog lists the roles of a game, each with what it can do.
func Catalog(roles []game.Role) *Table {
	return tableOf("", roles, func(l *line, r *game.Role) {
		bans := arena.Map(r.Bans, func(b game.Ban) string { return b.With })
		l.word("God", "", r.Name)
		l.long("Power", "", cmp.Or(r.Power, none))
		l.long("State", "", cmp.Or(r.State, none)).Drop = 2
		l.long("Not against", "", cmp.Or(strings.Join(bans, ", "), none)).Drop = 1
	})
}

// KeyTable lists the keys of a host's workers.
func KeyTable(list []keys.Key) *Table {
	t := tableOf("", list, func(l *line, k *keys.Key) {
		l.word("Worker", "", k.Name)
		l.word("Invited", "", k.Invited.Local().Format(time.DateOnly))
		l.word("Public key", "", k.Public).Drop = 1
	})
	if len(list) == 0 {
		t.Notes = []string{"no worker has a key"}
	}
	return t
}

// RunTable lists the runs of a database.
func RunTable(runs []arena.RunInfo) *Table {
	t := tableOf("", runs, func(l *line, r *arena.RunInfo) {
		l.count("#", "", r.ID)
		l.long("Run", "", r.Name)
		l.word("Game", "", r.Game).Drop = 1
		l.word("Format", "", r.Plan.Format.Name).Drop = 2
		l.count("Games", "", r.Games)
		l.word("State", "", r.State)
		l.word("Last change", "", r.Changed.Local().Format("2006-01-02 15:04"))
	})
	if len(runs) == 0 {
		t.Notes = []string{"no runs yet"}
	}
	return t
}

// Rates is the table of a joint rating, the best player first.
func Rates(r *rating.Ratings) *Table {
	type row struct {
		rating.Rating
		place int
	}
	var rows []row
	for place, i := range r.Ranking() {
		rows = append(rows, row{r.Players[i], place + 1})
	}
	return tableOf("", rows, func(l *line, r *row) {
		l.count("#", "rank", r.place)
		l.word("Player", "player", r.Name)
		l.figure("Elo", "elo", r.Elo, oneDigit)
		l.figure("95 % from", "elo_lo", r.EloLo, oneDigit)
		l.figure("to", "elo_hi", r.EloHi, oneDigit)
		l.count("Games", "games", r.Games).Drop = dropGames
		l.count("Points", "points", r.Points).Drop = dropGames + 1
		l.figure("Score", "score", r.Score, Percent)
	})
}
