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
	Run       string           `json:"run"`
	Game      string           `json:"game"`
	Format    string           `json:"format"`
	State     string           `json:"state"`
	Games     int              `json:"games"`              // that count in the figures
	Stored    int              `json:"stored"`             // including those that do not count
	Surplus   int              `json:"surplus"`            // after the stop, or of an engine that was dropped
	Repeated  int              `json:"repeated"`           // from openings that their pairing had already played
	Annulled  int              `json:"annulled,omitempty"` // of engines that never made a move
	Voided    arena.Voided     `json:"voided"`             // because the machine stalled, not among Stored
	Limit     string           `json:"limit"`
	Seed      uint64           `json:"seed"`
	Started   time.Time        `json:"started"`
	Changed   time.Time        `json:"changed"`
	Stop      *arena.Stop      `json:"stop"`            // why the run is over, null before
	Doubt     *arena.Doubt     `json:"doubt,omitempty"` // why it is unrated
	Dead      []arena.Dead     `json:"dead,omitempty"`  // engines that never made a move: they have no rank
	Drops     []arena.Drop     `json:"drops"`
	Standings []arena.Standing `json:"standings,omitempty"` // for formats with a ranking of their own
	Bracket   []arena.Duel     `json:"bracket,omitempty"`   // of a knockout
	arena.Figures
	Remarks  []string             `json:"remarks"` // the run's log and its --set words, for people
	SPRT     *arena.TestState     `json:"sprt"`
	Openings []arena.OpeningScore `json:"openings,omitempty"` // ordered by number of games
	Workers  []arena.WorkerRow    `json:"workers,omitempty"`  // by name
	Warnings []string             `json:"warnings"`

	Unrated    int         `json:"unrated,omitempty"`    // pairs in no figure: their games could not be judged
	Difference *Difference `json:"difference,omitempty"` // of AddDifference

	WarningList []arena.Warning `json:"warning_list"` // the same with their kinds

	Width int    `json:"-"` // columns of a line of the terminal form; 0: no limit
	Flags string `json:"-"` // of the commands that texts name, such as "--db t.db"

	sum *arena.Summary
}

// New returns the report of a run.
func New(sum *arena.Summary) *Report {
	r := &Report{
		sum: sum, Figures: sum.Figures,
		Run: sum.Run.Name, Game: sum.Run.Game, Format: sum.Run.Plan.Format.Name, State: sum.Run.State,
		Games: sum.Counted, Stored: sum.Run.Games, Surplus: sum.Surplus, Repeated: sum.Repeated, Voided: sum.Voided, Unrated: sum.Unrated,
		Limit: sum.Run.Plan.Limit.Text(), Seed: sum.Run.Plan.Seed,
		Started: sum.Run.Started.UTC(), Changed: sum.Run.Changed.UTC(),
		Stop: sum.Stop, Doubt: sum.Doubt, Dead: sum.Dead, Annulled: sum.Annulled, Drops: append([]arena.Drop{}, sum.Drops...),
		Standings: sum.Standings, Bracket: sum.Bracket, SPRT: sum.Test, Openings: sum.Openings, Workers: sum.Workers,
		Remarks: []string{}, Warnings: []string{}, WarningList: []arena.Warning{},
	}
	for _, remark := range sum.Run.Remarks {
		r.Remarks = append(r.Remarks, remark.Text)
	}
	for _, word := range sum.Run.Plan.Overrides {
		r.Remarks = append(r.Remarks, "--set "+word)
	}
	for _, w := range sum.Warnings {
		if !slices.Contains(r.WarningList, w) {
			r.WarningList, r.Warnings = append(r.WarningList, w), append(r.Warnings, w.Text)
		}
	}
	return r
}
