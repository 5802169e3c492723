package arena

import (
	"cmp"
	"fmt"
	"time"

	"thera/engine/game"
)

// GameLine is a game as JSON, with everything that is known of it. It is the one form in
// which games are exported, listed for scripts, sent and stored. It can be judged
// without its run.
type GameLine struct {
	ID      string        `json:"id"`
	Run     string        `json:"run,omitempty"` // where a game is not with its run
	Round   int           `json:"round"`
	Pair    int           `json:"pair"`
	Leg     int           `json:"leg"`
	First   string        `json:"first"` // engines by seat
	Second  string        `json:"second"`
	Roles   *[2]string    `json:"roles,omitempty"` // by seat
	Status  Status        `json:"status"`
	Attempt int           `json:"attempt,omitempty"` // as that of Record
	Winner  game.Seat     `json:"winner"`            // 0: a draw
	Reason  string        `json:"reason"`
	Source  Source        `json:"source"`
	Fault   *GameFault    `json:"fault,omitempty"`
	Points  *[2]float64   `json:"points,omitempty"` // by seat
	Plies   int           `json:"plies"`
	Start   string        `json:"start"` // after the opening
	Moves   []string      `json:"moves"`
	Seconds float64       `json:"seconds"`
	Sides   [2]SeatTotals `json:"sides"` // by seat
	Passed  int           `json:"passed,omitempty"`
	Warned  []string      `json:"warnings,omitempty"`

	Index   int              `json:"index"`
	Number  int              `json:"number"` // which of the game's starts
	Seed    uint64           `json:"seed,string"`
	Opening string           `json:"opening,omitempty"` // a position from a file
	Started time.Time        `json:"started"`
	Asked   []Ply            `json:"asked"`            // times in nanoseconds
	Idle    [2]time.Duration `json:"idle"`             // by seat
	Detail  string           `json:"detail,omitempty"` // everything known about a fault, several lines
	Tail    *[2][]string     `json:"tail,omitempty"`   // by seat, the end of the conversation: "> " sent, "< " received
	Stderr  *[2]string       `json:"stderr,omitempty"` // by seat, its end
	Dispute *Dispute         `json:"dispute,omitempty"`
	By      *By              `json:"by,omitempty"`

	Void int `json:"void,omitempty"` // is read only: files that have no status have this number, the attempt that was void, or -n for excluded
}

// GameFault is the fault that ended a game.
type GameFault struct {
	Seat   game.Seat      `json:"seat"`
	Engine string         `json:"engine"`
	Kind   game.FaultKind `json:"kind"`
	Detail string         `json:"detail"`
}

// SeatTotals is what the engine in one seat used in a game: sums, and the mean
// depth.
type SeatTotals struct {
	Moves  int64    `json:"moves"`
	Ms     float64  `json:"ms"`
	CPUMs  float64  `json:"cpu_ms"`
	Depth  *float64 `json:"depth"` // null if it reported none
	Nodes  int64    `json:"nodes"`
	IdleMs float64  `json:"idle_ms"`
}

// Line returns the record as JSON has it. run is the name of its run, "" where
// the game is with its run.
func (r *Record) Line(run string) *GameLine {
	l := &GameLine{
		ID: r.ID, Run: run, Round: r.Round, Pair: r.Pair, Leg: r.Leg, First: r.Engine(game.First), Second: r.Engine(game.Second),
		Status: cmp.Or(r.Status, StatusCounted), Attempt: r.Attempt, Winner: r.Outcome.Winner, Reason: r.Outcome.Reason, Source: r.Source, Plies: len(r.Moves),
		Start: r.Start, Moves: r.Moves, Seconds: r.Seconds, Passed: r.Passed, Warned: r.Warnings,
		Index: r.Index, Number: r.Job.Start, Seed: r.Seed, Opening: r.Opening,
		Started: r.Started.UTC(), Asked: r.Plies, Idle: r.Idle, Detail: r.Detail, Dispute: r.Dispute, By: r.By,
	}
	if l.Moves == nil {
		l.Moves = []string{}
	}
	if r.Roles != ([2]string{}) {
		l.Roles = &r.Roles
	}
	if r.Outcome.Points != ([2]float64{}) {
		l.Points = &r.Outcome.Points
	}
	if r.Fault != nil {
		l.Fault = &GameFault{Seat: r.Blamed, Kind: r.Fault.Kind, Detail: r.Fault.Detail}
		if r.Blamed != game.None {
			l.Fault.Engine = r.Engine(r.Blamed)
		}
	}
	if len(r.Tail[0])+len(r.Tail[1]) > 0 {
		l.Tail = &r.Tail
	}
	if r.Stderr != ([2]string{}) {
		l.Stderr = &r.Stderr
	}
	for i, seat := range [...]game.Seat{game.First, game.Second} {
		e := r.effort(seat)
		l.Sides[i] = SeatTotals{Moves: e.Moves, Ms: ms(e.Wall), CPUMs: ms(e.CPU), Nodes: e.Nodes, IdleMs: ms(e.Idle)}
		if e.Depths > 0 {
			mean := float64(e.Depth) / float64(e.Depths)
			l.Sides[i].Depth = &mean
		}
	}
	return l
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Record returns the record that the line was made of.
func (l *GameLine) Record() (*Record, error) {
	switch {
	case l.ID == "":
		return nil, fmt.Errorf("no id")
	case l.First == "" || l.Second == "":
		return nil, fmt.Errorf("game %s: an engine has no name", l.ID)
	case l.Leg != 0 && l.Leg != 1:
		return nil, fmt.Errorf("game %s: leg %d, want 0 or 1", l.ID, l.Leg)
	case l.Winner > game.Second:
		return nil, fmt.Errorf("game %s: winner %d, want 0, 1 or 2", l.ID, l.Winner)
	}
	switch l.Source {
	case Natural, Adjudicated, Faulted, Stalled, Unrated:
	default:
		return nil, fmt.Errorf("game %s: source %q, want natural, adjudicated, fault, stalled or unrated", l.ID, l.Source)
	}
	r := &Record{
		Job: Job{
			ID: l.ID, Pairing: [2]string{l.First, l.Second}, Round: l.Round, Pair: l.Pair, Leg: l.Leg, Index: l.Index,
			Start: l.Number, Seed: l.Seed, Opening: l.Opening,
		},
		Started: l.Started, Status: l.Status, Attempt: l.Attempt, Start: l.Start, Moves: l.Moves, Plies: l.Asked,
		Outcome: game.Outcome{Winner: l.Winner, Reason: l.Reason}, Source: l.Source,
		Detail: l.Detail, Warnings: l.Warned, Passed: l.Passed, Idle: l.Idle, Seconds: l.Seconds, Dispute: l.Dispute, By: l.By,
	}
	switch {
	case l.Status == StatusCounted, l.Status == StatusVoid, l.Status == StatusExcluded:
	case l.Status != "":
		return nil, fmt.Errorf("game %s: status %q, want counted, void or excluded", l.ID, l.Status)
	case l.Void > 0:
		r.Status, r.Attempt = StatusVoid, l.Void
	case l.Void < 0:
		r.Status, r.Attempt = StatusExcluded, -l.Void
	}
	if l.Leg == 1 {
		r.Pairing = [2]string{l.Second, l.First}
	}
	if l.Roles != nil {
		r.Roles = *l.Roles
	}
	if l.Points != nil {
		r.Outcome.Points = *l.Points
	}
	if f := l.Fault; f != nil {
		if f.Seat > game.Second {
			return nil, fmt.Errorf("game %s: fault of seat %d, want 1 or 2", l.ID, f.Seat)
		}
		r.Fault, r.Blamed = &game.Fault{Kind: f.Kind, Detail: f.Detail}, f.Seat
	}
	if l.Tail != nil {
		r.Tail = *l.Tail
	}
	if l.Stderr != nil {
		r.Stderr = *l.Stderr
	}
	return r, nil
}
