package arena

import (
	"fmt"
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

	Counted int `json:"games"` // in the figures
	// Stored games beyond the stop, or of an engine after it was dropped: in no figure.
	Surplus  int    `json:"surplus"`
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

// StopKind says why a run is over.
type StopKind string

// The kinds of stops.
const (
	StopPlayed   StopKind = "played"               // all games of the plan are there
	StopDecided  StopKind = "decided"              // the sequential test accepted a hypothesis
	StopUnsure   StopKind = "undecided"            // the test had all its pairs and decided nothing
	StopSame     StopKind = "no functional change" // the engines of the test played the same moves in all pairs
	StopNarrow   StopKind = "narrow"               // until: every error bar is narrow enough
	StopDead     StopKind = "dead engine"          // one of two engines never made a move
	StopLeft     StopKind = "engine left"          // too few engines are left after on_fault: drop
	StopOpenings StopKind = "openings used up"     // every further game would repeat one
)

// Stop is why a run is over. It belongs to a place in job order: what was
// played beyond it is in no figure.
type Stop struct {
	Kind   StopKind `json:"kind"`
	Pairs  int      `json:"pairs"`            // finished pairs in job order up to here
	Engine string   `json:"engine,omitempty"` // dead engine, engine left
	Game   string   `json:"game,omitempty"`   // identity of an example: the first fault of a dead engine
	Text   string   `json:"text"`             // one sentence for people; nothing is read back out of it
}

// Finding reports whether the stop is a finding (exit status 1): the run ended
// without an answer.
func (s *Stop) Finding() bool {
	return s != nil && (s.Kind == StopDead || s.Kind == StopLeft || s.Kind == StopOpenings)
}

// DoubtKind says why a run is unrated.
type DoubtKind string

// The kinds of doubts.
const (
	DoubtBusy     DoubtKind = "machine too busy" // too many pairs are void: the machine decided who had time to think
	DoubtOneSided DoubtKind = "one-sided voids"  // void pairs spared one engine its losses
)

// Doubt is why a run is unrated: it says nothing about its engines, whatever the
// figures. It is over when further pairs dispel it.
type Doubt struct {
	Kind   DoubtKind `json:"kind"`
	Engine string    `json:"engine,omitempty"` // one-sided voids: the engine that they spared
	Void   int       `json:"void"`             // attempts at pairs that were void, of Pairs that it is about
	Pairs  int       `json:"pairs"`
	Text   string    `json:"text"` // one sentence for people; nothing is read back out of it
}

// Drop is an engine that left the run: its pairs after this place in job order
// are passed over.
type Drop struct {
	Engine string `json:"engine"`
	Dead   bool   `json:"dead"`   // its first three games ended by its fault before its first move
	Faults int    `json:"faults"` // how many it had
	Pairs  int    `json:"pairs"`  // finished pairs in job order up to here
	Game   string `json:"game"`   // identity of its last fault
	Text   string `json:"text"`
}

// Dead is an engine that was at fault and never made a move in the whole run. It
// has no rank, and its games count for nobody.
type Dead struct {
	Engine string `json:"engine"`
	Games  int    `json:"games"`
	Faults int    `json:"faults"`
	Reason string `json:"reason"` // how its first fault is counted
	Game   string `json:"game"`   // identity of that game
	Text   string `json:"text"`
}

// Duel is one match of a knockout.
type Duel struct {
	Round   int        `json:"round"`
	Engines [2]string  `json:"engines"` // the higher seed first; the other is "" for a bye
	Points  [2]float64 `json:"points"`
	Winner  string     `json:"winner"` // "" while it is not decided
}

// Standing is one engine's place in a Swiss or a knockout.
type Standing struct {
	Place    int     `json:"place"` // from 1
	Engine   string  `json:"name"`
	Points   float64 `json:"points"`
	Wins     int     `json:"wins"`
	Buchholz float64 `json:"buchholz"`
	Note     string  `json:"remark"` // "bye in round 2", "out in round 1"
}

// TestState is where one sequential test stands. A test is its bounds, error
// rates and model: with others it is another test on the same games.
type TestState struct {
	SPRT
	LLR      float64 `json:"llr"` // over the pairs that count now
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Decision string  `json:"decision"` // continue, H0, H1
	Pairs    int     `json:"pairs"`    // of the figures below: up to the decision, or all

	// Of a test that decided: the LLR then, and the Elo that is as likely too
	// high as too low given that the test stopped there, with its 95 % bounds.
	LLRAtDecision *float64 `json:"llr_at_decision"`
	MedianElo     *float64 `json:"median_elo"`
	MedianEloLo   *float64 `json:"median_elo_lo"`
	MedianEloHi   *float64 `json:"median_elo_hi"`

	GamesLeft *float64 `json:"games_left"` // expected; nil if unknown

	// Nodes a second of the first engine, as a ratio to the second: the geometric mean
	// over pairs, nil if an engine reports no nodes. Slower says that it is below 0.9,
	// and not by noise.
	Speed  *float64 `json:"-"`
	Slower bool     `json:"-"`
}

// WarningKind is the kind of a Warning, for scripts.
type WarningKind string

// The kinds of warnings about a run.
const (
	WarnNoGames   WarningKind = "no games"
	WarnHalfPairs WarningKind = "unfinished pairs"
	WarnRepeated  WarningKind = "repeated openings" // node or depth limits: counted once
	WarnShared    WarningKind = "shared openings"   // time limits: every pair counts
	WarnSurplus   WarningKind = "surplus games"
	WarnVoided    WarningKind = "voided pairs"
	WarnRetested  WarningKind = "error rates" // the bounds of a test were changed over its games
	// When the run ends was changed over its games: bounds are not 95 %.
	WarnExtended WarningKind = "changed after a look"
	WarnUnrated  WarningKind = "unrated pairs"         // the engines' rules differ, or the rules engine failed
	WarnUnknown  WarningKind = "games not of the plan" // of engines that are no longer in it, for example
	WarnRating   WarningKind = "rating"                // warnings of the statistics
)

// Warning is a remark that must be shown with the tables.
type Warning struct {
	Kind  WarningKind `json:"kind"`
	Games int         `json:"games,omitempty"` // how many games it is about
	Text  string      `json:"text"`
}

// String is the warning's text.
func (w Warning) String() string { return w.Text }

// Warningf makes a warning.
func Warningf(kind WarningKind, games int, format string, args ...any) Warning {
	return Warning{Kind: kind, Games: games, Text: fmt.Sprintf(format, args...)}
}
