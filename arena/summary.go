package arena

import (
	"slices"
	"time"

	"thera/arena/rating"
	"thera/engine/game"
)

// Summary is everything that is decided about a run at one moment, and the
// aggregates that its tables show. Package tournament alone makes it, from the
// run's stored games in job order; tables, JSON, events and requirements read
// it and decide nothing. It holds no games: its size does not grow with their
// number. Its JSON is part of that of a report.
type Summary struct {
	Run     RunInfo         `json:"-"` // with the plan that was counted
	Rows    []Row           `json:"-"` // of the games that count; sorted by pairing, leg, roles
	Course  Course          `json:"-"` // how they went, for plots
	Ratings *rating.Ratings `json:"-"` // the joint fit of the engines; nil if the run is unrated

	Counted  int    `json:"games"`              // in the figures
	Surplus  int    `json:"surplus"`            // stored games beyond the stop, or of an engine after it was dropped: in no figure
	Repeated int    `json:"repeated"`           // games from an opening that their pairing had before: in no figure
	Annulled int    `json:"annulled,omitempty"` // games of dead engines
	Unrated  int    `json:"unrated,omitempty"`  // pairs with a game that could not be judged: in no figure but the ends
	Voided   Voided `json:"voided"`

	Stop  *Stop  `json:"stop"`            // why the run is over; nil while it is not
	Doubt *Doubt `json:"doubt,omitempty"` // why it is unrated; nil if it is not
	// Dead are engines that never made a move, in the plan's order: their games are in no figure but the ends.
	Dead      []Dead     `json:"dead,omitempty"`
	Drops     []Drop     `json:"drops"`               // engines that left the run, in the order in which they did
	Standings []Standing `json:"standings,omitempty"` // of a Swiss or a knockout, best first
	// Bracket are the matches of all rounds of a knockout that were drawn, in bracket order.
	Bracket  []Duel      `json:"bracket,omitempty"`
	Test     *TestState  `json:"sprt"` // of a sprt; nil while the run is unrated
	Figures              // what follows from the rows
	Workers  []WorkerRow `json:"workers,omitempty"` // by name; of those who ask for it
	Warnings []Warning   `json:"warnings"`
}

// Warn adds a warning, once.
func (s *Summary) Warn(w Warning) {
	if !slices.Contains(s.Warnings, w) {
		s.Warnings = append(s.Warnings, w)
	}
}

// Voided are the attempts at pairs that count nowhere because the machine
// stalled, up to the end of the run.
type Voided struct {
	Pairs int `json:"pairs"`
	Games int `json:"games"`
}

// RunInfo describes a run without its games.
type RunInfo struct {
	ID      int64     `json:"id,omitempty"`
	Name    string    `json:"run"`
	Game    string    `json:"game"`
	State   string    `json:"state"` // "running", "finished", "interrupted"
	Remarks []Remark  `json:"remarks,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Changed time.Time `json:"changed,omitzero"` // last game or note
	Games   int       `json:"games,omitempty"`
	Played  int       `json:"-"` // of them, in this start of a run that is being played
	Plan    Plan      `json:"settings"`

	Left []EngineSpec `json:"-"` // engines with games that are no longer in the plan
}

// Earlier is what decided about a run, when to stop and with which bounds, until it was
// changed: whoever changes it may have seen the games that were there.
type Earlier struct {
	SPRT
	Format string `json:",omitempty"` // "" is sprt
	Rounds int    `json:",omitempty"`
	Until  Until  `json:",omitzero"`
	Games  int    `json:",omitempty"` // that were there; 0 is unknown
}

// Decides returns what decides about the run, with this number of games.
func (p *Plan) Decides(games int) Earlier {
	return Earlier{SPRT: p.SPRT, Format: p.Format.Name, Rounds: p.Format.Rounds, Until: p.Until, Games: games}
}

// Tests reports whether it was a sequential test.
func (e *Earlier) Tests() bool { return e.Format == "" || (&Format{Name: e.Format}).Sequential() }

// Alike reports whether both decide alike: a test by its bounds, other formats by the
// number of games.
func (e *Earlier) Alike(o *Earlier) bool {
	if e.Tests() || o.Tests() {
		return e.Tests() == o.Tests() && e.SPRT == o.SPRT
	}
	return e.Format == o.Format && e.Rounds == o.Rounds && e.Until == o.Until
}

// PlanOf returns the plan that a run was played by, as far as it is stored: of an
// opening file it has the number of positions, not the positions.
func (r *RunInfo) PlanOf(g game.Game) *Plan {
	p := r.Plan
	p.Name, p.Game = r.Name, g
	return &p
}

// Engines returns the engines of the plan, then those that left it.
func (r *RunInfo) Engines() []EngineSpec { return slices.Concat(r.Plan.Engines, r.Left) }

// Differences returns the playing conditions that another start of the run changes.
func (r *RunInfo) Differences(is *RunInfo) []string { return r.stored().Differences(is.stored()) }

// stored is the plan with all engines that have games, and of its game the name.
func (r *RunInfo) stored() *Plan {
	p := r.PlanOf(storedGame{name: r.Game})
	p.Engines = r.Engines()
	return p
}

// Replaced returns engines of a folder that are others than in the run, by name, and how the first
// of their conditions differs.
func (r *RunInfo) Replaced(is *RunInfo) map[string]string {
	was, now, changed := r.stored(), is.stored(), map[string]string{}
	for _, e := range now.Engines {
		if _, its := was.differencesOf(now, &e); e.Entry != "" && len(its) > 0 {
			changed[e.Name] = its[0]
		}
	}
	return changed
}

// Remark is a note on a run for people: what it was warned of, who stopped it.
type Remark struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// Row is the tally of one pairing in one leg with one pair of roles. Pairs
// are counted in the row of one of their legs, with that row's roles.
type Row struct {
	Pairing [2]string
	Leg     int
	Roles   [2]string // by seat
	Tally
}
