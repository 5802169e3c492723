package report

import (
	"fmt"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// GameLine is a game as `thera games --json` prints it, one object a line.
type GameLine struct {
	ID      string    `json:"id"`
	Run     string    `json:"run"`
	Round   int       `json:"round"`
	Pair    int       `json:"pair"`
	Leg     int       `json:"leg"`
	First   string    `json:"first"` // engines by seat
	Second  string    `json:"second"`
	Roles   *Roles    `json:"roles,omitempty"`
	Winner  game.Seat `json:"winner"` // 0: a draw
	Reason  string    `json:"reason"`
	Source  string    `json:"source"` // natural, fault, adjudicated, stalled
	Fault   *Fault    `json:"fault,omitempty"`
	Points  *Points   `json:"points,omitempty"`
	Plies   int       `json:"plies"`
	Start   string    `json:"start"` // after the opening
	Moves   []string  `json:"moves"`
	Seconds float64   `json:"seconds"`
	Sides   [2]Side   `json:"sides"` // by seat
	Passed  int       `json:"passed,omitempty"`
	Warned  []string  `json:"warnings,omitempty"`
}

// Roles and Points are by seat.
type (
	Roles  [2]string
	Points [2]float64
)

// Fault is what an engine did wrong.
type Fault struct {
	Seat   game.Seat      `json:"seat"`
	Engine string         `json:"engine"`
	Kind   game.FaultKind `json:"kind"`
	Detail string         `json:"detail"`
}

// Side is what one seat spent in a game: sums, and the mean depth.
type Side struct {
	Moves  int      `json:"moves"`
	Ms     float64  `json:"ms"`
	CPUMs  float64  `json:"cpu_ms"`
	Depth  *float64 `json:"depth"` // null where it told none
	Nodes  int64    `json:"nodes"`
	IdleMs float64  `json:"idle_ms"`
}

// Line is the record as a line for scripts.
func Line(run string, rec *arena.Record) GameLine {
	l := GameLine{
		ID: rec.ID, Run: run, Round: rec.Round, Pair: rec.Pair, Leg: rec.Leg, First: rec.Engine(game.First), Second: rec.Engine(game.Second),
		Winner: rec.Outcome.Winner, Reason: rec.Outcome.Reason, Source: string(rec.Source), Plies: len(rec.Moves),
		Start: rec.Start, Moves: rec.Moves, Seconds: rec.Seconds, Passed: rec.Passed, Warned: rec.Warnings,
	}
	if l.Moves == nil {
		l.Moves = []string{}
	}
	if rec.Roles != ([2]string{}) {
		l.Roles = (*Roles)(&rec.Roles)
	}
	if rec.Outcome.Points != ([2]float64{}) {
		l.Points = (*Points)(&rec.Outcome.Points)
	}
	if rec.Fault != nil {
		l.Fault = &Fault{Seat: rec.Blamed, Kind: rec.Fault.Kind, Detail: rec.Fault.Detail}
		if rec.Blamed != game.None {
			l.Fault.Engine = rec.Engine(rec.Blamed)
		}
	}
	var depth, depths [2]float64
	for _, p := range rec.Plies {
		if p.Seat != game.First && p.Seat != game.Second {
			continue
		}
		i := p.Seat.Index()
		s := &l.Sides[i]
		s.Moves++
		s.Ms += ms(p.Wall)
		s.CPUMs += ms(p.CPU)
		s.Nodes += p.Nodes
		if p.Depth > 0 {
			depth[i] += float64(p.Depth)
			depths[i]++
		}
	}
	for i := range l.Sides {
		l.Sides[i].Depth = ratio(depth[i], depths[i])
		l.Sides[i].IdleMs = ms(rec.Idle[i])
	}
	return l
}

// ExportLine is a game with all that the store holds of it: it can be brought
// back, and judged without its run.
type ExportLine struct {
	GameLine
	Index    int              `json:"index"`
	Number   int              `json:"number"` // which of the game's starts
	Seed     uint64           `json:"seed,string"`
	Opening  string           `json:"opening,omitempty"` // a position from a file
	Started  time.Time        `json:"started"`
	Asked    []arena.Ply      `json:"asked"` // times in nanoseconds
	Idle     [2]time.Duration `json:"idle"`
	Detail   string           `json:"detail,omitempty"`
	Tail     *[2][]string     `json:"tail,omitempty"`
	Complain *[2]string       `json:"stderr,omitempty"`
}

// Export is the record as a self-contained line.
func Export(run string, rec *arena.Record) ExportLine {
	l := ExportLine{
		GameLine: Line(run, rec), Index: rec.Index, Number: rec.Job.Start, Seed: rec.Seed, Opening: rec.Opening,
		Started: rec.Started.UTC(), Asked: rec.Plies, Idle: rec.Idle, Detail: rec.Detail,
	}
	if len(rec.Tail[0])+len(rec.Tail[1]) > 0 {
		l.Tail = &rec.Tail
	}
	if rec.Stderr != ([2]string{}) {
		l.Complain = &rec.Stderr
	}
	return l
}

// Record is the game that Export wrote.
func (l *ExportLine) Record() (*arena.Record, error) {
	switch {
	case l.ID == "":
		return nil, fmt.Errorf("no id")
	case l.First == "" || l.Second == "":
		return nil, fmt.Errorf("game %s: no names of both engines", l.ID)
	case l.Leg != 0 && l.Leg != 1:
		return nil, fmt.Errorf("game %s: leg %d, want 0 or 1", l.ID, l.Leg)
	case l.Winner > game.Second:
		return nil, fmt.Errorf("game %s: winner %d, want 0, 1 or 2", l.ID, l.Winner)
	}
	rec := &arena.Record{
		Job: arena.Job{
			ID: l.ID, Pairing: [2]string{l.First, l.Second}, Round: l.Round, Pair: l.Pair, Leg: l.Leg, Index: l.Index,
			Start: l.Number, Seed: l.Seed, Opening: l.Opening,
		},
		Started: l.Started, Start: l.Start, Moves: l.Moves, Plies: l.Asked,
		Outcome: game.Outcome{Winner: l.Winner, Reason: l.Reason}, Source: arena.Source(l.Source),
		Detail: l.Detail, Warnings: l.Warned, Passed: l.Passed, Idle: l.Idle, Seconds: l.Seconds,
	}
	if l.Leg == 1 {
		rec.Pairing = [2]string{l.Second, l.First}
	}
	switch rec.Source {
	case arena.Natural, arena.Adjudicated, arena.Faulted, arena.Stalled:
	default:
		return nil, fmt.Errorf("game %s: source %q, want natural, adjudicated, fault or stalled", l.ID, l.Source)
	}
	if l.Roles != nil {
		rec.Roles = *l.Roles
	}
	if l.Points != nil {
		rec.Outcome.Points = *l.Points
	}
	if f := l.Fault; f != nil {
		if f.Seat > game.Second {
			return nil, fmt.Errorf("game %s: fault of seat %d, want 1 or 2", l.ID, f.Seat)
		}
		rec.Fault, rec.Blamed = &game.Fault{Kind: f.Kind, Detail: f.Detail}, f.Seat
	}
	if l.Tail != nil {
		rec.Tail = *l.Tail
	}
	if l.Complain != nil {
		rec.Stderr = *l.Complain
	}
	return rec, nil
}

// ExportForm is the form of exported files that this program writes and reads.
const ExportForm = 1

// ExportHead is the first line of an exported file.
type ExportHead struct {
	Thera    int                `json:"thera"` // ExportForm
	Run      string             `json:"run"`
	Game     string             `json:"game"`
	State    string             `json:"state"`
	Settings arena.Settings     `json:"settings"`
	Engines  []arena.EngineSpec `json:"engines"`
	Remarks  []arena.Remark     `json:"remarks,omitempty"`
}
