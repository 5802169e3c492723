package arena

import (
	"time"

	"thera/arena/rating"
)

// Figures are what the tables of a run show. An undefined value is nil: it needs
// more games, or the run is unrated.
type Figures struct {
	Engines   []EngineRow    `json:"engines"` // ordered by rating
	Pairings  []PairingRow   `json:"pairings"`
	FirstSeat Score          `json:"first_seat"`
	Roles     []RoleRow      `json:"roles"`    // ordered by rating; empty if the game has none
	Matchups  []MatchupRow   `json:"matchups"` // by the roles of first and second seat
	Matrix    []MatrixCell   `json:"matrix"`   // of roles, by rank
	Ends      []EndCount     `json:"ends"`     // how the games ended, and those of dead engines and of unrated pairs
	Noted     []WarningCount `json:"game_warnings"`
}

// Score is a number of games from one view, with the strength that follows from them. The
// score is that of all games; the score error of a cell is half the width of its bounds.
type Score struct {
	Games int64 `json:"games"`
	rating.WDL
	Pairs *rating.Penta `json:"pairs,omitempty"` // finished pairs by points: 0, ½, 1, 1½, 2
	// Games of unfinished pairs: they count in the score but not in its error.
	Half int `json:"half,omitempty"`

	rating.Strength
	LOS *float64 `json:"los"` // probability of being the stronger one
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

	SlowestMs *float64 `json:"slowest_ms,omitempty"` // its longest move; of those who ask for it

	Command []string          `json:"command"`
	Options map[string]string `json:"options"`
	Binary  string            `json:"binary"`               // SHA-256
	Points  *Points           `json:"own_points,omitempty"` // nil if the game has none

	CPULimited bool `json:"-"`
}

// Points is the score in the game's points, where it counts some.
type Points struct {
	Share  float64 `json:"share"`  // of the points that both sides made, a fraction
	Margin float64 `json:"margin"` // mean difference per game
}

// Averages is what an engine used per move, and how deep it searched. A value
// is nil if the engine did not report it or has not moved.
type Averages struct {
	Moves     int64    `json:"moves"`
	Depth     *float64 `json:"mean_depth"`
	NoDepth   *float64 `json:"no_depth"` // share of moves without a completed depth
	MeanMs    *float64 `json:"mean_ms"`
	MeanCPUMs *float64 `json:"mean_cpu_ms"`
	MeanNodes *float64 `json:"mean_nodes"`
	IdleMs    *float64 `json:"idle_ms"` // CPU time per move outside its turns
}

// PairingRow is all games of two engines, from the first one's view.
type PairingRow struct {
	Engines [2]string `json:"engines"`
	Score
	Nelo       *float64 `json:"nelo"`
	NeloError  *float64 `json:"nelo_error"`
	DrawRatio  *float64 `json:"draw_ratio"`
	PairsRatio *float64 `json:"pairs_ratio"`
	MeanPlies  *float64 `json:"mean_plies"`
	Points     *Points  `json:"own_points,omitempty"`
	Warnings   []string `json:"warnings"`
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
	Engines   []EngineScore `json:"engines"` // by rank
	MeanPlies *float64      `json:"mean_plies"`
}

// EngineScore is an engine's games in a match-up, in both seats.
type EngineScore struct {
	Name string `json:"name"`
	rating.WDL
	Score *float64 `json:"score"`
}

// MatrixCell is the score of Row against Col over both seats. If both are the
// same role, it is the first seat's score.
type MatrixCell struct {
	Row        string   `json:"row"`
	Col        string   `json:"col"`
	Games      int64    `json:"games"`
	Score      *float64 `json:"score"`
	Lo         *float64 `json:"lo"` // Wilson interval
	Hi         *float64 `json:"hi"`
	FirstScore *float64 `json:"first_score"` // of Row in the first seat
	MeanPlies  *float64 `json:"mean_plies"`
}

// EndCount counts the games that ended in one way.
type EndCount struct {
	Source  Source `json:"source"`
	Engine  string `json:"engine"` // at fault, or ""
	Reason  string `json:"reason"` // as Game.End has it
	Games   int    `json:"games"`
	Example string `json:"example"` // identity of the first such game
}

// WarningCount counts the games with warnings of one kind.
type WarningCount struct {
	Kind    string `json:"kind"` // its text, with N for numbers
	Count   int    `json:"count"`
	Example string `json:"example"` // the first such text
}

// WorkerRow is what one worker did in a run. Games that count or may count are in it, and
// no excluded ones.
type WorkerRow struct {
	Worker         string   `json:"worker"` // "" is the machine that hosts the run
	Games          int      `json:"games"`
	Moves          int64    `json:"moves"`
	MovesPerSecond *float64 `json:"moves_per_second"` // of one slot while it played
	Faults         int      `json:"faults"`           // games that ended by an engine's fault
	Voided         int      `json:"voided"`           // pairs that are void because its machine stalled
	Refused        int      `json:"refused"`          // games that were false
	Excluded       int      `json:"excluded"`
	Audited        int      `json:"audited"` // pairs that were played again elsewhere
	// Differ counts its audited pairs that went another way elsewhere, and its own audits that were false.
	Differ    int  `json:"differ"`
	Undecided int  `json:"undecided"` // audited pairs that went another way, and nobody could say which is right
	Expelled  bool `json:"expelled"`  // from a start of the run
}

// Course is how a run went over its games in job order. Only games that count are in it.
type Course struct {
	Scores []ScoreSample `json:"scores"` // of a run of two engines
	LLR    []LLRSample   `json:"llr"`    // of the run's sequential test; empty for other formats
}

// ScoreSample is the first engine's score after a number of games, with its 95 % bounds.
type ScoreSample struct {
	Games int     `json:"games"`
	Score float64 `json:"score"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// LLRSample is the log-likelihood ratio after a number of pairs.
type LLRSample struct {
	Pairs int     `json:"pairs"`
	LLR   float64 `json:"llr"`
}

// Tally counts games of one pairing, seen from its first engine. Only games
// that count are in it: no stalled, repeated or surplus ones. The unit of
// every error is the pair, or the single game where games are not played in
// pairs. Tallies of disjoint sets of games add up.
type Tally struct {
	// Of Pairing[0]: games, those of unfinished pairs too; finished pairs; games that are units themselves.
	rating.Counts
	SeatPairs rating.Penta // the same pairs by points of the first seat, whoever sat there
	// Unrated are pairs, or single games, that could not be judged: in none of these, but those in which both
	// were at fault are in Sides.
	Unrated      int
	UnratedGames int        // of them
	Points       [2]float64 // the game's points of each engine; 0 where it has none
	Sides        [2]Effort
	Plies        int64 // turns
}

// Effort is what one engine spent and did wrong in the games of a Tally.
type Effort struct {
	Moves  int64 // asked moves
	Wall   time.Duration
	CPU    time.Duration
	Depth  int64 // sum over the moves that reported one
	Depths int64 // how many reported one
	Nodes  int64
	Idle   time.Duration // CPU used outside its turns
	Failed int           // games lost by a fault
}

// Add adds the counts of o.
func (t *Tally) Add(o *Tally) {
	t.Counts, t.SeatPairs = t.Counts.Add(o.Counts), t.SeatPairs.Add(o.SeatPairs)
	for i := range t.Sides {
		t.Sides[i].Add(&o.Sides[i])
		t.Points[i] += o.Points[i]
	}
	t.Unrated += o.Unrated
	t.UnratedGames += o.UnratedGames
	t.Plies += o.Plies
}

// Add adds the sums of o.
func (e *Effort) Add(o *Effort) {
	e.Moves += o.Moves
	e.Wall += o.Wall
	e.CPU += o.CPU
	e.Depth += o.Depth
	e.Depths += o.Depths
	e.Nodes += o.Nodes
	e.Idle += o.Idle
	e.Failed += o.Failed
}

// Swapped is the same tally seen from the pairing's second engine.
func (t Tally) Swapped() Tally {
	t.Counts = t.Flip()
	t.Sides[0], t.Sides[1] = t.Sides[1], t.Sides[0]
	t.Points[0], t.Points[1] = t.Points[1], t.Points[0]
	return t
}

// Total is the number of games.
func (t *Tally) Total() int { return int(t.Games.Games()) }

// Finished is the number of finished pairs.
func (t *Tally) Finished() int { return int(t.Pairs.Pairs()) }

// One counts one game by its winner (index in the pairing, -1 for a draw).
func One(winner int) rating.WDL {
	return [...]rating.WDL{{Draws: 1}, {Wins: 1}, {Losses: 1}}[winner+1]
}

// PairOf counts one pair by the winners of its two games.
func PairOf(winners [2]int) (p rating.Penta) {
	p[int(2*(One(winners[0]).Points()+One(winners[1]).Points()))]++
	return p
}

// CountGame counts one game; single says that it is a unit itself. The pair is
// counted by CountPair.
func (t *Tally) CountGame(f *Game, single bool) {
	one := One(f.Winner())
	t.Games = t.Games.Add(one)
	if single {
		t.Singles = t.Singles.Add(one)
	}
	t.Plies += int64(f.Turns)
	for i := range t.Sides {
		t.Sides[i].Add(f.Side(i))
		t.Points[i] += f.Outcome.Points[f.Seat(i).Index()]
	}
}

// CountPair counts a finished pair by the winners of its two games, leg 0
// first.
func (t *Tally) CountPair(winners [2]int) {
	t.Pairs = t.Pairs.Add(PairOf(winners))
	t.SeatPairs = t.SeatPairs.Add(PairOf([2]int{winners[0], Turned(winners[1])}))
}

// Turned is an index in a pairing (-1 for none) when the pairing is named
// the other way round.
func Turned(i int) int {
	if i < 0 {
		return i
	}
	return 1 - i
}
