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
