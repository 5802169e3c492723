package report

import (
	"slices"
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
		Summary: sum, Remarks: marked("--set ", run.Plan.Overrides),
	}
	for i, remark := range run.Remarks {
		r.Remarks = slices.Insert(r.Remarks, i, remark.Text)
	}
	return r
}
