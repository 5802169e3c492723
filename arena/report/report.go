package report

import (
	"time"

	"thera/arena"
	"thera/arena/rating"
)

// Report is what a run's tables say. Its JSON is the form for scripts: stable,
// without NaN or infinity; null where something is undefined, and a warning
// says why.
type Report struct {
	Run       string        `json:"run"`
	Game      string        `json:"game"`
	Format    string        `json:"format"`
	State     string        `json:"state"`
	Games     int           `json:"games"`
	Stalled   int           `json:"stalled"` // replayed because of the machine, not among Games
	Limit     string        `json:"limit"`
	Seed      uint64        `json:"seed"`
	Started   time.Time     `json:"started"`
	Changed   time.Time     `json:"changed"`
	Standings []Placing     `json:"standings,omitempty"` // set for formats with an order of their own
	Engines   []Standing    `json:"engines"`             // by rating
	Pairings  []Pairing     `json:"pairings"`
	FirstSeat Score         `json:"first_seat"`
	Roles     []Role        `json:"roles"`    // empty where the game has none
	Matchups  []Matchup     `json:"matchups"` // by the roles of first and second seat
	Matrix    []MatrixCell  `json:"matrix"`   // of roles, by rank
	Ends      []End         `json:"ends"`
	Remarks   []string      `json:"remarks"` // of the run: decisions, dropped engines, --set words
	Noted     []GameWarning `json:"game_warnings"`
	SPRT      *SPRT         `json:"sprt"`
	Openings  []Opening     `json:"openings,omitempty"` // by number of games; of AddOpenings
	Baseline  string        `json:"baseline,omitempty"` // the earlier run of Against
	Changes   []Change      `json:"changes,omitempty"`
	Warnings  []string      `json:"warnings"`

	los func(a, b string) (float64, bool)
}

// Score is a record of games from one view, with what it says about strength.
type Score struct {
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
	Pairs  *[5]int `json:"pairs,omitempty"` // finished pairs by points: 0, ½, 1, 1½, 2
	Half   int     `json:"half,omitempty"`  // games whose pair is not finished

	Score      *float64 `json:"score"`       // a fraction, of all games
	ScoreError *float64 `json:"score_error"` // 95 %, half the width
	BoundLo    *float64 `json:"bound_lo"`    // Wilson interval of the score
	BoundHi    *float64 `json:"bound_hi"`
	Elo        *float64 `json:"elo"`
	EloLo      *float64 `json:"elo_lo"`
	EloHi      *float64 `json:"elo_hi"`
	LOS        *float64 `json:"los"` // probability to be the stronger
}

// Standing is an engine's line of the ranking.
type Standing struct {
	Rank int    `json:"rank"`
	Name string `json:"name"`
	Score
	First  WDL `json:"first"` // its games in the first seat
	Second WDL `json:"second"`
	Effort
	Faults int `json:"faults"`

	Command []string          `json:"command"`
	Options map[string]string `json:"options"`
	Binary  string            `json:"binary"`               // SHA-256
	Own     *Own              `json:"own_points,omitempty"` // nil where the game has none
}

// Own is what the game's own points (PyRat's cheese) say beside wins.
type Own struct {
	Share  float64 `json:"share"`  // of all points that both made, a fraction
	Margin float64 `json:"margin"` // points ahead, a game
}

// ownOf is a tally's own points, from its first engine's view.
func ownOf(t *arena.Tally) *Own {
	all := t.Points[0] + t.Points[1]
	if !(all > 0) || t.Total() == 0 {
		return nil
	}
	return &Own{Share: t.Points[0] / all, Margin: (t.Points[0] - t.Points[1]) / float64(t.Total())}
}

// WDL counts wins, draws and losses.
type WDL struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Effort is what an engine spent a move, and how deep it looked. Null where it
// did not say, or has not moved.
type Effort struct {
	Moves     int64    `json:"moves"`
	Depth     *float64 `json:"mean_depth"`
	NoDepth   *float64 `json:"no_depth"` // share of moves without a completed depth
	MeanMs    *float64 `json:"mean_ms"`
	MeanCPUMs *float64 `json:"mean_cpu_ms"`
	MeanNodes *float64 `json:"mean_nodes"`
	IdleMs    *float64 `json:"idle_ms"` // CPU outside its own turns, a move
}

// Pairing is two engines' games from the first one's view.
type Pairing struct {
	Engines [2]string `json:"engines"`
	Score
	Nelo       *float64 `json:"nelo"`
	NeloError  *float64 `json:"nelo_error"`
	DrawRatio  *float64 `json:"draw_ratio"`
	PairsRatio *float64 `json:"pairs_ratio"`
	MeanPlies  *float64 `json:"mean_plies"`
	Own        *Own     `json:"own_points,omitempty"`
	Warnings   []string `json:"warnings"`
}

// Role is what a role (a god) achieved in both seats, against other roles.
type Role struct {
	Rank int    `json:"rank"`
	Name string `json:"name"`
	Score
	FirstScore  *float64 `json:"first_score"` // in the first seat, a fraction
	SecondScore *float64 `json:"second_score"`
	Advantage   *float64 `json:"first_advantage"` // what the first seat adds to its score, a fraction
	AdvantageE  *float64 `json:"first_advantage_error"`
	MeanPlies   *float64 `json:"mean_plies"`
	Effort
}

// Matchup is one pair of roles by seat, from the first seat's view.
type Matchup struct {
	Roles [2]string `json:"roles"`
	Score
	Engines   []EngineScore `json:"engines"`
	MeanPlies *float64      `json:"mean_plies"`
}

// EngineScore is an engine's games in a match-up, whatever its seat.
type EngineScore struct {
	Name string `json:"name"`
	WDL
	Score *float64 `json:"score"`
}

// End counts how games ended. Engine is the one at fault, or "".
type End struct {
	Source  arena.Source `json:"source"`
	Engine  string       `json:"engine"`
	Reason  string       `json:"reason"`
	Games   int          `json:"games"`
	Example string       `json:"example"` // identity of such a game
}

// GameWarning counts warnings of one kind on games' records.
type GameWarning struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// SPRT is where a sequential test stands.
type SPRT struct {
	Elo0      float64  `json:"elo0"`
	Elo1      float64  `json:"elo1"`
	Alpha     float64  `json:"alpha"`
	Beta      float64  `json:"beta"`
	Model     string   `json:"model"`
	LLR       *float64 `json:"llr"`
	Lower     float64  `json:"lower"`
	Upper     float64  `json:"upper"`
	Decision  string   `json:"decision"`
	Pairs     int64    `json:"pairs"`
	GamesLeft *float64 `json:"games_left"`
}

// New makes the report of a run.
func New(sum *arena.Summary) (*Report, error) {
	r := &Report{
		Run: sum.Run.Name, Game: sum.Run.Game, Format: sum.Run.Plan.Format.Name, State: sum.Run.State,
		Games: sum.Run.Games, Stalled: sum.Stalled, Limit: limitText(sum.Run.Plan.Limit), Seed: sum.Run.Plan.Seed,
		Started: sum.Run.Started.UTC(), Changed: sum.Run.Changed.UTC(),
		Engines: []Standing{}, Pairings: []Pairing{}, Roles: []Role{}, Matchups: []Matchup{}, Matrix: []MatrixCell{}, Ends: []End{},
		Remarks: []string{}, Noted: []GameWarning{}, Warnings: []string{},
	}
	for _, remark := range sum.Run.Remarks {
		r.Remarks = append(r.Remarks, remark.Text)
	}
	if sum.Stop != nil {
		r.Remarks = append(r.Remarks, sum.Stop.Text)
	}
	for i, st := range sum.Standings {
		r.Standings = append(r.Standings, Placing{
			Place: i + 1, Name: st.Engine, Points: st.Points, Wins: st.Wins, Buchholz: st.Buchholz, Remark: st.Note,
		})
	}
	for _, word := range sum.Run.Plan.Overrides {
		r.Remarks = append(r.Remarks, "--set "+word)
	}
	pairings := pairingTallies(sum)
	if err := r.rank(sum); err != nil {
		return nil, err
	}
	r.pair(sum, pairings)
	r.sprt(sum)
	if err := r.roles(sum); err != nil {
		return nil, err
	}
	r.matrix(sum)
	r.ends(sum)
	r.warn(sum)
	return r, nil
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

// self says that an engine played against itself: that says nothing about its
// strength, only about roles and seats.
func (p *pairingTally) self() bool { return p.engines[0] == p.engines[1] }

// counts are games and the units of their error: finished pairs, or the games
// of a run that is not played in pairs.
func counts(sum *arena.Summary, games [3]int, pairs [5]int) rating.Counts {
	c := rating.Counts{Games: wdl(games), Pairs: penta(pairs)}
	if !sum.Run.Plan.Format.Pairs {
		c.Singles = c.Games
	}
	return c
}

// summary is what the pairing's games say.
func summary(sum *arena.Summary, t *arena.Tally) rating.Summary {
	return counts(sum, t.Games, t.Pairs).Summary()
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

// scoreOf fills what counts alone say; s is what statistics say about the
// games that count.
func scoreOf(games [3]int, s rating.Summary) Score {
	out := Score{
		Games: games[0] + games[1] + games[2], Wins: games[0], Draws: games[1], Losses: games[2],
		ScoreError: s.ScoreError, BoundLo: s.BoundLo, BoundHi: s.BoundHi, Elo: s.Elo, EloLo: s.EloLo, EloHi: s.EloHi, LOS: s.LOS,
	}
	out.Score = fraction(games)
	return out
}

// fraction is the share of points, nil without games.
func fraction(games [3]int) *float64 {
	n := games[0] + games[1] + games[2]
	return ratio(float64(games[0])+float64(games[1])/2, float64(n))
}

// ratio is nil where it is undefined.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}

func effortOf(e *arena.Effort) Effort {
	n := float64(e.Moves)
	return Effort{
		Moves: e.Moves, Depth: ratio(float64(e.Depth), float64(e.Depths)), NoDepth: ratio(n-float64(e.Depths), n),
		MeanMs: ratio(ms(e.Wall), n), MeanCPUMs: ratio(ms(e.CPU), n), MeanNodes: ratio(float64(e.Nodes), n), IdleMs: ratio(ms(e.Idle), n),
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
