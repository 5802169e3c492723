package report

import (
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// GameLine is a game as `thera games --json` prints it, one object a line.
type GameLine struct {
	ID      string        `json:"id"`
	Run     string        `json:"run"`
	Round   int           `json:"round"`
	Pair    int           `json:"pair"`
	Leg     int           `json:"leg"`
	First   string        `json:"first"` // engines by seat
	Second  string        `json:"second"`
	Roles   *Roles        `json:"roles,omitempty"`
	Void    int           `json:"void,omitempty"` // the attempt at its pair that was void; -n: set aside; absent: it counts
	Winner  game.Seat     `json:"winner"`         // 0: a draw
	Reason  string        `json:"reason"`
	Source  string        `json:"source"` // natural, fault, adjudicated, stalled, unrated
	Fault   *GameFault    `json:"fault,omitempty"`
	Points  *Points       `json:"points,omitempty"`
	Plies   int           `json:"plies"`
	Start   string        `json:"start"` // after the opening
	Moves   []string      `json:"moves"`
	Seconds float64       `json:"seconds"`
	Sides   [2]SeatTotals `json:"sides"` // by seat
	Passed  int           `json:"passed,omitempty"`
	Warned  []string      `json:"warnings,omitempty"`
}

// Roles and Points are by seat.
type (
	Roles  [2]string
	Points [2]float64
)

// GameFault is the fault that ended a game.
type GameFault struct {
	Seat   game.Seat      `json:"seat"`
	Engine string         `json:"engine"`
	Kind   game.FaultKind `json:"kind"`
	Detail string         `json:"detail"`
	Where  []string       `json:"where,omitempty"`      // its place and limit, as thera games --faults prints them
	Said   []string       `json:"last_lines,omitempty"` // the end of the conversation: "> " sent, "< " received
	Stderr string         `json:"stderr,omitempty"`     // its end
}

// SeatTotals is what the engine in one seat used in a game: sums, and the mean
// depth.
type SeatTotals struct {
	Moves  int      `json:"moves"`
	Ms     float64  `json:"ms"`
	CPUMs  float64  `json:"cpu_ms"`
	Depth  *float64 `json:"depth"` // null if it reported none
	Nodes  int64    `json:"nodes"`
	IdleMs float64  `json:"idle_ms"`
}

// Line returns the record as a line for scripts.
func Line(run string, rec *arena.Record) GameLine {
	l := GameLine{
		ID: rec.ID, Run: run, Round: rec.Round, Pair: rec.Pair, Leg: rec.Leg, First: rec.Engine(game.First), Second: rec.Engine(game.Second),
		Void: rec.Void, Winner: rec.Outcome.Winner, Reason: rec.Outcome.Reason, Source: string(rec.Source), Plies: len(rec.Moves),
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
		l.Fault = &GameFault{Seat: rec.Blamed, Kind: rec.Fault.Kind, Detail: rec.Fault.Detail}
		if rec.Detail != "" {
			l.Fault.Where = strings.Split(rec.Detail, "\n")
		}
		if rec.Blamed != game.None {
			l.Fault.Engine = rec.Engine(rec.Blamed)
			l.Fault.Said, l.Fault.Stderr = rec.Tail[rec.Blamed.Index()], rec.Stderr[rec.Blamed.Index()]
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
