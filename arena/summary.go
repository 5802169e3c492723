package arena

import (
	"time"

	"thera/engine/game"
)

// Summary is everything that is decided about a run at one moment, and the
// aggregates that its tables show. Package tournament alone makes it, from the
// run's stored games in job order; tables, JSON, events and requirements read
// it and decide nothing. It holds no games: its size does not grow with their
// number.
type Summary struct {
	Run          RunInfo
	Engines      []EngineSpec  // in the plan's order
	Rows         []Row         // of the games that count; sorted by pairing, leg, roles
	Ends         []End         // how those games ended
	GameWarnings []GameWarning // what those games' warnings were about
	Course       Course        // how they went, for plots

	Stop      *Stop       // why the run is over; nil while it is not
	Drops     []Drop      // engines that left the run, in the order in which they did
	Ties      []Tie       // knockout matches that the seeding decided
	Standings []Standing  // of a Swiss or a knockout, best first
	Tests     []TestState // sprt: the run's own test first, then those of earlier bounds
	Warnings  []Warning

	Counted  int // games in the figures
	Surplus  int // stored games beyond the stop, or of an engine after it was dropped: in no figure
	Repeated int // games from an opening that their pairing had before: in no figure
	Unrated  int // pairs with a game that could not be judged: in no figure but Ends
	Voided   Voided
}

// Voided are the attempts at pairs that count nowhere because the machine
// stalled, up to the end of the run.
type Voided struct {
	Pairs int `json:"pairs"`
	Games int `json:"games"`
}

// PairVoids are how many attempts at a pair were void.
type PairVoids struct {
	Pairing  [2]string `json:"pairing"`
	Pair     int       `json:"pair"`
	Attempts int       `json:"attempts"`
}

// RunInfo describes a run without its games.
type RunInfo struct {
	ID      int64
	Name    string
	Game    string
	State   string // "running", "finished", "interrupted"
	Remarks []Remark
	Started time.Time
	Changed time.Time // last game or note
	Games   int
	Plan    Settings
}

// Settings is a Plan as it is stored: everything but the game and the engines.
type Settings struct {
	File        string       `json:"file"`
	Rules       string       `json:"rules"`
	Law         Law          `json:"law,omitzero"`
	Format      Format       `json:"format"`
	Openings    Openings     `json:"openings"`
	Limit       Limit        `json:"limit"`
	Until       Until        `json:"until"`
	Adjudicate  Adjudication `json:"adjudicate"`
	Concurrency int          `json:"concurrency"`
	Auto        bool         `json:"auto"`
	Seed        uint64       `json:"seed"`
	SPRT        SPRT         `json:"sprt"`
	Earlier     []SPRT       `json:"earlier_sprt,omitempty"` // bounds under which games of this run were tested before
	PastVoids   []PairVoids  `json:"past_voids,omitempty"`   // attempts at pairs that were void when the run had stopped as too busy
	Trial       bool         `json:"trial,omitempty"`        // a step of a tuning
	Sandbox     string       `json:"sandbox,omitempty"`      // what the sandbox kept engines from
	Overrides   []string     `json:"overrides,omitempty"`
	Source      string       `json:"source,omitempty"`
}

// Settings is the plan without its game, engines and list of openings.
func (p *Plan) Settings() Settings {
	var s Settings
	copyFields(&s, p)
	if s.Openings.Count == 0 {
		s.Openings.Count = len(s.Openings.Positions)
	}
	s.Openings.Positions = nil // its hash says enough; a book may be large
	return s
}

// PlanOf is the plan that a run was played by, as far as it is kept: the
// positions of an opening file are only a number.
func (r *RunInfo) PlanOf(g game.Game, engines []EngineSpec) *Plan {
	p := &Plan{Name: r.Name, Game: g, Engines: engines}
	copyFields(p, &r.Plan)
	return p
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
	Round   int // the earliest round in which they met
	Leg     int
	Roles   [2]string // by seat
	Tally
}

// End counts games that ended in one way.
type End struct {
	Pairing [2]string
	Source  Source
	Blamed  int    // index in Pairing, -1 for none
	Winner  int    // index in Pairing, -1 for a draw
	Reason  string // as EndReason has it
	Games   int
	Example string // identity of the first such game
}

// GameWarning counts the games with warnings of one kind.
type GameWarning struct {
	Pairing [2]string
	Kind    string // as GameWarningKind has it
	Count   int
	Example string // the first such text
}

// OpeningRow counts the games from one start position.
type OpeningRow struct {
	Start string
	Games [3]int // wins, draws, losses of the first seat
	Plies int64
}
