// Package report shows runs: their tables, and a live display while they are
// played.
//
// Its input is an arena.Summary, which has decisions and totals but no games,
// and the events of a run. The history of all versions is the exception: Versions
// has stored games counted once more. The statistics come from package rating. An undefined
// value is a dash in tables and null in JSON, and a warning says why. The
// package decides nothing, parses no sentences, reads no database, knows no game
// and never shows NaN or infinity.
//
// Tables of a run:
//
//	r := report.New(summary)
//	err := r.Write(out, report.Terminal)     // or Markdown; CSV: the ranking alone
//	err = report.NewJSON(out).Encode(r)     // one object on one line
//	table, err := r.Table("pairings")       // one of TableNames, with all rows
//	err = table.Write(out, report.CSV)
//
// The live display is an arena.Watcher. It is a progress bar if out is a
// terminal, and a line for each event otherwise:
//
//	live := report.NewLive(os.Stderr, report.Again{Show: "thera replay"})
//	session.Run(…, live)
//	err = live.Close() // before anything else is printed
package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// Report is the content of a run's tables. Scripts can rely on its JSON: there
// is no NaN or infinity, and an undefined value is null, with a warning that
// says why.
type Report struct {
	Run     string    `json:"run"`
	Game    string    `json:"game"`
	Format  string    `json:"format"`
	State   string    `json:"state"`
	Stored  int       `json:"stored"` // games, including those that do not count
	Limit   string    `json:"limit"`
	Seed    uint64    `json:"seed"`
	Started time.Time `json:"started"`
	Changed time.Time `json:"changed"`
	*arena.Summary
	Remarks    []string    `json:"remarks"`              // the run's log and its --set words, for people
	Difference *Difference `json:"difference,omitempty"` // of AddDifference

	Width int    `json:"-"` // columns of a line of the terminal form; 0: no limit
	Flags string `json:"-"` // of the commands that texts name, such as "--db t.db"
}

// New returns the report of a run.
func New(sum *arena.Summary) *Report {
	run := &sum.Run
	r := &Report{
		Run: run.Name, Game: run.Game, Format: run.Plan.Format.Name, State: run.State, Stored: run.Games,
		Limit: run.Plan.Limit.Text(), Seed: run.Plan.Seed, Started: run.Started.UTC(), Changed: run.Changed.UTC(),
		Summary: sum, Remarks: arena.Map(run.Remarks, func(of arena.Remark) string { return of.Text }),
	}
	r.Remarks = append(r.Remarks, marked("--set ", run.Plan.Overrides)...)
	return r
}

// Write writes all tables that have something to show. In CSV, which can hold
// only one table, it writes the ranking.
func (r *Report) Write(w io.Writer, form Format) error {
	if form == CSV {
		return r.ranking().Write(w, CSV)
	}
	p := &prose{w: w, form: form, width: r.Width}
	r.head(p)
	for _, t := range r.chosen() {
		p.table(t)
	}
	if r.Difference != nil {
		r.Difference.write(p)
	}
	p.list(r.lines())
	return p.err
}

// chosen returns the tables that have something to show, without the rows that
// are too many for a terminal.
func (r *Report) chosen() []*Table {
	var chosen []*Table
	add := func(name string, wanted bool, most int) {
		if !wanted {
			return
		}
		t, err := r.Table(name)
		if err != nil {
			panic(err)
		}
		if len(t.Rows) > most {
			t.Notes = append(t.Notes, fmt.Sprintf("… %d more rows (thera results --table %s)", len(t.Rows)-most, name))
			t.Rows = t.Rows[:most]
		}
		chosen = append(chosen, t)
	}
	engines, matchups := len(r.Engines), len(r.Matchups)
	add("standings", len(r.Standings) > 0, math.MaxInt)
	add("ranking", true, math.MaxInt)
	add("cross", engines > 2 && engines <= maxCross, math.MaxInt)
	add("pairings", len(r.Pairings) > 0, maxPairings)
	add("roles", len(r.Roles) > 1, math.MaxInt)
	add("matrix", len(r.Roles) > 2, math.MaxInt)
	add("matchups", matchups > 0 && matchups <= maxMatchups, math.MaxInt)
	add("ends", len(r.Ends) > 0, maxPairings)
	add("warnings", len(r.Noted) > 0, maxPairings)
	return chosen
}

func (r *Report) head(p *prose) {
	if p.form == Markdown {
		p.print("## " + markdown(r.Run) + "\n\n")
		p.say(r.headText())
		return
	}
	p.say(r.Run + ": " + r.headText())
}

// headText describes the run in a line.
func (r *Report) headText() string {
	words := []string{r.Game, r.Format, r.gamesText(), r.Limit, r.State}
	if r.Doubt != nil {
		words = append(words, "unrated")
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), ", ")
}

// gamesText says how many games count and why others do not.
func (r *Report) gamesText() string {
	if r.Stored == r.Counted {
		return games(r.Counted)
	}
	text := fmt.Sprintf("%s (%d stored", games(r.Counted), r.Stored)
	for _, other := range []struct {
		n    int
		what string
	}{{r.Surplus, "surplus"}, {r.Unrated, "pairs unrated"}, {r.Annulled, "annulled"}, {r.Repeated, "repeated"}} {
		if other.n > 0 {
			text += fmt.Sprintf(", %d %s", other.n, other.what)
		}
	}
	return text + ")"
}

// lines returns what stands below the tables: the first seat's score, the decisions,
// remarks and warnings.
func (r *Report) lines() []string {
	var lines []string
	if f := r.FirstSeat; f.Games > 0 {
		lines = append(lines, fmt.Sprintf("First seat: %s (%s) in %s (%s)",
			Percent(f.Score), Bounds(f.BoundLo, f.BoundHi), games(f.Games), record(f.WDL)))
	}
	if s := r.Test; s != nil {
		lines = append(lines, "SPRT: "+testText(s))
	}
	lines = append(lines, r.notes()...)
	lines = append(lines, r.pairingWarnings()...)
	return append(lines, marked("Warning: ", r.warnings(false))...)
}

// decided returns the decisions, as text, but no dead engine, which noRank has.
func (r *Report) decided() []string {
	decided := []string{}
	if r.Stop != nil && (r.Stop.Kind != arena.StopDead || r.Stop.Game == "") {
		decided = append(decided, r.Stop.Text)
	}
	if r.Doubt != nil {
		decided = append(decided, r.Doubt.Text)
	}
	for _, d := range r.Drops {
		if !d.Dead && (r.Stop == nil || !strings.HasPrefix(r.Stop.Text, d.Text)) { // a drop can end the run
			decided = append(decided, d.Text)
		}
	}
	return decided
}

// notes returns the decisions, and those remarks of the run's log that are not
// among them.
func (r *Report) notes() []string {
	decided := r.decided()
	lines := append(marked("Note: ", decided), marked("Note: --set ", r.Summary.Run.Plan.Overrides)...)
	for _, remark := range r.Summary.Run.Remarks {
		at := ""
		if !remark.Time.IsZero() {
			at = remark.Time.Local().Format("2006-01-02 15:04 ")
		}
		if !slices.Contains(decided, remark.Text) {
			lines = append(lines, "Log: "+at+remark.Text)
		}
	}
	return lines
}

// pairingWarnings returns the caveats of the pairings, each once. With only two
// engines the ranking has the same ones.
func (r *Report) pairingWarnings() []string {
	if len(r.Engines) == 2 {
		return nil
	}
	pairings := map[string]int{}
	for i := range r.Pairings {
		for _, w := range r.Pairings[i].Warnings {
			pairings[w]++
		}
	}
	var lines []string
	for _, text := range slices.Sorted(maps.Keys(pairings)) {
		lines = append(lines, fmt.Sprintf("Warning: %s: %s", arena.Plural(pairings[text], "pairing"), text))
	}
	return lines
}

// Views returns the tables that have something to show, as Write chooses them.
func (r *Report) Views() []*Table {
	return arena.Map(r.chosen(), (*Table).View)
}

// Notes returns what stands below the tables: decisions, remarks and warnings.
func (r *Report) Notes() []string {
	return arena.Map(r.lines(), Printable)
}

// Head describes the run in a line: game, format, games, limit and state.
func (r *Report) Head() string { return Printable(r.headText()) }

// Difference is the smallest difference between the rules of two engines that a run
// has found.
type Difference struct {
	Game string `json:"game"` // identity of the game that it ended
	*arena.Dispute
	Text string `json:"text"` // with the boards
}

// AddDifference shows what ended rec, unless a smaller difference is shown already.
func (r *Report) AddDifference(rec *arena.Game) {
	if rec.Dispute == nil || r.Difference != nil && r.Difference.Size() <= rec.Dispute.Size() {
		return
	}
	d := *rec.Dispute
	d.Lists = [2][]string{} // an export has them
	r.Difference = &Difference{Game: rec.ID, Dispute: &d, Text: rec.Detail}
}

// write shows the difference behind the tables.
func (d *Difference) write(p *prose) {
	open, end := "", ""
	if p.form == Markdown {
		open, end = "\n```", "```\n"
	}
	p.print(fmt.Sprintf("\nThe smallest difference of the rules, in game %s:%s\n%s\n%s", arena.Short(d.Game), open, Lines(d.Text), end))
}

// prose writes sentences and tables in one form, up to the first error.
type prose struct {
	w     io.Writer
	form  Format
	width int // of a line of the terminal form; 0: no limit
	begun bool
	err   error
}

// print writes text as it is.
func (p *prose) print(text string) {
	if p.begun = true; p.err == nil {
		_, p.err = io.WriteString(p.w, text)
	}
}

// part sets apart what follows.
func (p *prose) part() {
	if p.begun {
		p.print("\n")
	}
}

// safe is text of any origin.
func (p *prose) safe(text string) string {
	if p.form == Markdown {
		return markdown(text)
	}
	return Wrap(Printable(text), p.width, 2)
}

// say writes a sentence.
func (p *prose) say(sentence string) { p.print(p.safe(sentence) + "\n") }

// list writes sentences after an empty line.
func (p *prose) list(sentences []string) {
	for i, sentence := range sentences {
		if i == 0 {
			p.part()
		}
		if p.form == Markdown {
			p.print("- ")
		}
		p.say(sentence)
	}
}

// table writes a table after an empty line.
func (p *prose) table(t *Table) {
	p.part()
	if p.begun = true; p.err == nil {
		p.err = t.Fit(p.width).Write(p.w, p.form)
	}
}
