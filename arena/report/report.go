package report

import (
	"slices"
	"time"

	"thera/arena"
	"thera/arena/rating"
)

// Report is the content of a run's tables. Scripts can rely on its JSON: there
// is no NaN or infinity, and an undefined value is null, with a warning that
// says why.
type Report struct {
	Run       string         `json:"run"`
	Game      string         `json:"game"`
	Format    string         `json:"format"`
	State     string         `json:"state"`
	Games     int            `json:"games"`    // that count in the figures
	Stored    int            `json:"stored"`   // including those that do not count
	Surplus   int            `json:"surplus"`  // after the stop, or of an engine that was dropped
	Repeated  int            `json:"repeated"` // from openings that their pairing had already played
	Voided    arena.Voided   `json:"voided"`   // because the machine stalled, not among Stored
	Limit     string         `json:"limit"`
	Seed      uint64         `json:"seed"`
	Started   time.Time      `json:"started"`
	Changed   time.Time      `json:"changed"`
	Stop      *arena.Stop    `json:"stop"` // why the run is over, null before
	Drops     []arena.Drop   `json:"drops"`
	Ties      []arena.Tie    `json:"ties"`
	Standings []Placing      `json:"standings,omitempty"` // for formats with a ranking of their own
	Engines   []EngineRow    `json:"engines"`             // ordered by rating
	Pairings  []PairingRow   `json:"pairings"`
	FirstSeat Score          `json:"first_seat"`
	Roles     []RoleRow      `json:"roles"`    // empty if the game has none
	Matchups  []MatchupRow   `json:"matchups"` // by the roles of first and second seat
	Matrix    []MatrixCell   `json:"matrix"`   // of roles, by rank
	Ends      []EndCount     `json:"ends"`
	Remarks   []string       `json:"remarks"` // the run's log and its --set words, for people
	Noted     []WarningCount `json:"game_warnings"`
	SPRT      *TestResult    `json:"sprt"`
	Earlier   []TestResult   `json:"earlier_sprt"`       // tests with earlier bounds of the run, on the same games
	Openings  []OpeningScore `json:"openings,omitempty"` // ordered by number of games; see AddOpenings
	Workers   []WorkerRow    `json:"workers,omitempty"`  // by name; see AddWorkers
	Baseline  string         `json:"baseline,omitempty"` // the earlier run, see Against
	Changes   []Change       `json:"changes,omitempty"`
	Warnings  []string       `json:"warnings"`

	Unrated    int         `json:"unrated,omitempty"`    // pairs in no figure: their games could not be judged
	Difference *Difference `json:"difference,omitempty"` // of AddDifference

	WarningList []arena.Warning `json:"warning_list"` // the same with their kinds

	Width int    `json:"-"` // columns of a line of the terminal form; 0: no limit
	Flags string `json:"-"` // of the commands that texts name, such as "--db t.db"

	sum     *arena.Summary
	limit   arena.Limit // the run's
	unrated bool        // the run ended without saying anything about its engines
	log     []arena.Remark
	sets    []string
	los     func(a, b string) (float64, bool)

	places map[string]int // of engines in the plan's order
}

// Score is a number of games from one view, with the strength that follows from
// them.
type Score struct {
	Games int64 `json:"games"`
	rating.WDL
	Pairs *[5]int `json:"pairs,omitempty"` // finished pairs by points: 0, ½, 1, 1½, 2
	Half  int     `json:"half,omitempty"`  // games of unfinished pairs: they count in the score but not in its error

	Score      *float64 `json:"score"`       // a fraction, of all games
	ScoreError *float64 `json:"score_error"` // 95 %, half the width
	BoundLo    *float64 `json:"bound_lo"`    // Wilson interval of the score
	BoundHi    *float64 `json:"bound_hi"`
	Elo        *float64 `json:"elo"`
	EloLo      *float64 `json:"elo_lo"`
	EloHi      *float64 `json:"elo_hi"`
	LOS        *float64 `json:"los"` // probability of being the stronger one
}

// EngineRow is one engine in the ranking.
type EngineRow struct {
	Rank int    `json:"rank"`
	Name string `json:"name"`
	Score
	First  rating.WDL `json:"first"` // its games in the first seat
	Second rating.WDL `json:"second"`
	Averages
	Faults int `json:"faults"`

	Command []string          `json:"command"`
	Options map[string]string `json:"options"`
	Binary  string            `json:"binary"`               // SHA-256
	Own     *Own              `json:"own_points,omitempty"` // nil if the game has none

	cpuLimited bool
}

// Own is the score in the game's own points, such as PyRat's cheese.
type Own struct {
	Share  float64 `json:"share"`  // of the points that both sides made, a fraction
	Margin float64 `json:"margin"` // mean difference per game
}

// ownOf returns a tally's own points from its first engine's view.
func ownOf(t *arena.Tally) *Own {
	all := t.Points[0] + t.Points[1]
	if !(all > 0) || t.Total() == 0 {
		return nil
	}
	return &Own{Share: t.Points[0] / all, Margin: (t.Points[0] - t.Points[1]) / float64(t.Total())}
}

// Averages is what an engine used per move, and how deep it searched. A value
// is null if the engine did not report it or has not moved.
type Averages struct {
	Moves     int64    `json:"moves"`
	Depth     *float64 `json:"mean_depth"`
	NoDepth   *float64 `json:"no_depth"` // share of moves without a completed depth
	MeanMs    *float64 `json:"mean_ms"`
	MeanCPUMs *float64 `json:"mean_cpu_ms"`
	MeanNodes *float64 `json:"mean_nodes"`
	IdleMs    *float64 `json:"idle_ms"` // CPU time per move outside its own turns
}

// PairingRow is all games of two engines, from the first one's view.
type PairingRow struct {
	Engines [2]string `json:"engines"`
	Score
	Nelo       *float64        `json:"nelo"`
	NeloError  *float64        `json:"nelo_error"`
	DrawRatio  *float64        `json:"draw_ratio"`
	PairsRatio *float64        `json:"pairs_ratio"`
	MeanPlies  *float64        `json:"mean_plies"`
	Own        *Own            `json:"own_points,omitempty"`
	Warnings   []rating.Caveat `json:"warnings"`
}

// RoleRow is the score of a role (a god) against other roles in both seats.
type RoleRow struct {
	Rank int    `json:"rank"`
	Name string `json:"name"`
	Score
	FirstScore  *float64 `json:"first_score"` // in the first seat, a fraction
	SecondScore *float64 `json:"second_score"`
	Advantage   *float64 `json:"first_advantage"` // what the first seat adds to the score, a fraction
	AdvantageE  *float64 `json:"first_advantage_error"`
	MeanPlies   *float64 `json:"mean_plies"`
	Averages
}

// MatchupRow is the score of the first seat with one role against another.
type MatchupRow struct {
	Roles [2]string `json:"roles"`
	Score
	Engines   []EngineScore `json:"engines"`
	MeanPlies *float64      `json:"mean_plies"`
}

// EngineScore is an engine's games in a match-up, in both seats.
type EngineScore struct {
	Name string `json:"name"`
	rating.WDL
	Score *float64 `json:"score"`
}

// EndCount counts the games that ended in one way. Engine is the one at fault,
// or "".
type EndCount struct {
	Source  arena.Source `json:"source"`
	Engine  string       `json:"engine"`
	Reason  string       `json:"reason"`
	Games   int          `json:"games"`
	Example string       `json:"example"` // identity of one of them
}

// WarningCount counts warnings of one kind on games' records.
type WarningCount struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// New makes the report of a run.
func New(sum *arena.Summary) (*Report, error) {
	r := &Report{
		sum: sum,
		Run: sum.Run.Name, Game: sum.Run.Game, Format: sum.Run.Plan.Format.Name, State: sum.Run.State,
		Games: sum.Counted, Stored: sum.Run.Games, Surplus: sum.Surplus, Repeated: sum.Repeated, Voided: sum.Voided, Unrated: sum.Unrated,
		Limit: sum.Run.Plan.Limit.Text(), Seed: sum.Run.Plan.Seed,
		Started: sum.Run.Started.UTC(), Changed: sum.Run.Changed.UTC(),
		Stop: sum.Stop, Drops: orEmpty(sum.Drops), Ties: orEmpty(sum.Ties), Earlier: []TestResult{},
		Engines: []EngineRow{}, Pairings: []PairingRow{}, Roles: []RoleRow{}, Matchups: []MatchupRow{}, Matrix: []MatrixCell{}, Ends: []EndCount{},
		limit: sum.Run.Plan.Limit, log: sum.Run.Remarks, sets: sum.Run.Plan.Overrides,
		Remarks: []string{}, Noted: []WarningCount{}, Warnings: []string{}, WarningList: []arena.Warning{},
		places: map[string]int{},
	}
	for i := range sum.Engines {
		r.places[sum.Engines[i].Name] = i
	}
	for _, remark := range r.log {
		r.Remarks = append(r.Remarks, remark.Text)
	}
	for _, word := range r.sets {
		r.Remarks = append(r.Remarks, "--set "+word)
	}
	for _, w := range sum.Warnings {
		r.warn(w)
	}
	for i, s := range sum.Standings {
		r.Standings = append(r.Standings, Placing{i + 1, s})
	}
	r.tests(sum.Tests)
	if err := r.rank(sum); err != nil {
		return nil, err
	}
	r.pair(sum)
	if err := r.roles(sum); err != nil {
		return nil, err
	}
	r.ends(sum)
	if sum.Stop.Unrated() {
		r.unrate()
	}
	return r, nil
}

// warn adds a warning unless it is there already.
func (r *Report) warn(w arena.Warning) {
	if !slices.Contains(r.WarningList, w) {
		r.WarningList = append(r.WarningList, w)
		r.Warnings = append(r.Warnings, w.Text)
	}
}

// warnRating adds caveats of the statistics as warnings.
func (r *Report) warnRating(about string, warnings []rating.Caveat) {
	for _, w := range warnings {
		r.warn(arena.Warning{Kind: arena.WarnRating, Text: about + w.Text})
	}
}

// orEmpty returns a list that is not null in JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// pairingTally is all games of two engines.
type pairingTally struct {
	engines [2]string
	tally   arena.Tally
}

func pairingTallies(sum *arena.Summary) []pairingTally {
	var out []pairingTally
	at := map[[2]string]int{}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		k, ok := at[row.Pairing]
		if !ok {
			k = len(out)
			at[row.Pairing] = k
			out = append(out, pairingTally{engines: row.Pairing})
		}
		out[k].tally.Add(&row.Tally)
	}
	return out
}

// self reports whether an engine played against itself. Such games say nothing
// about its strength, only about roles and seats.
func (p *pairingTally) self() bool { return p.engines[0] == p.engines[1] }

// counts converts a tally for package rating, from its first engine's view.
func counts(t *arena.Tally) rating.Counts {
	return rating.Counts{Games: wdl(t.Games), Pairs: penta(t.Pairs), Singles: wdl(t.Singles)}
}

func wdl(c [3]int) rating.WDL {
	return rating.WDL{Wins: int64(c[0]), Draws: int64(c[1]), Losses: int64(c[2])}
}

func penta(c [5]int) rating.Penta {
	var p rating.Penta
	for i, n := range c {
		p[i] = int64(n)
	}
	return p
}

// scoreOf combines counts and their estimate.
func scoreOf(c rating.Counts, s rating.Estimate) Score {
	return Score{
		Games: c.Games.Games(), WDL: c.Games, Score: fraction(c.Games),
		ScoreError: s.ScoreError, BoundLo: s.BoundLo, BoundHi: s.BoundHi, Elo: s.Elo, EloLo: s.EloLo, EloHi: s.EloHi, LOS: s.LOS,
	}
}

// fraction returns the share of points, nil without games.
func fraction(c rating.WDL) *float64 { return ratio(c.Points(), float64(c.Games())) }

// ratio returns a/b, nil if b is 0.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}

func averagesOf(e *arena.Effort) Averages {
	n := float64(e.Moves)
	return Averages{
		Moves: e.Moves, Depth: ratio(float64(e.Depth), float64(e.Depths)), NoDepth: ratio(n-float64(e.Depths), n),
		MeanMs: ratio(ms(e.Wall), n), MeanCPUMs: ratio(ms(e.CPU), n), MeanNodes: ratio(float64(e.Nodes), n), IdleMs: ratio(ms(e.Idle), n),
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
