package report

import (
	"fmt"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// ExportLine is a game with everything that the store has about it. It can be
// imported again, and judged without its run.
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
	Dispute  *arena.Dispute   `json:"dispute,omitempty"`
	By       *arena.By        `json:"by,omitempty"`
}

// exportLine returns the record as a self-contained line.
func exportLine(run string, rec *arena.Record) ExportLine {
	l := ExportLine{
		GameLine: Line(run, rec), Index: rec.Index, Number: rec.Job.Start, Seed: rec.Seed, Opening: rec.Opening,
		Started: rec.Started.UTC(), Asked: rec.Plies, Idle: rec.Idle, Detail: rec.Detail, Dispute: rec.Dispute, By: rec.By,
	}
	if l.Fault != nil { // all of it is in fields of its own
		l.Fault.Where, l.Fault.Said, l.Fault.Stderr = nil, nil, ""
	}
	if len(rec.Tail[0])+len(rec.Tail[1]) > 0 {
		l.Tail = &rec.Tail
	}
	if rec.Stderr != ([2]string{}) {
		l.Complain = &rec.Stderr
	}
	return l
}

// Record returns the record that the line was made of.
func (l *ExportLine) Record() (*arena.Record, error) {
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
	rec := &arena.Record{
		Job: arena.Job{
			ID: l.ID, Pairing: [2]string{l.First, l.Second}, Round: l.Round, Pair: l.Pair, Leg: l.Leg, Index: l.Index,
			Start: l.Number, Seed: l.Seed, Opening: l.Opening,
		},
		Started: l.Started, Void: l.Void, Start: l.Start, Moves: l.Moves, Plies: l.Asked,
		Outcome: game.Outcome{Winner: l.Winner, Reason: l.Reason}, Source: arena.Source(l.Source),
		Detail: l.Detail, Warnings: l.Warned, Passed: l.Passed, Idle: l.Idle, Seconds: l.Seconds, Dispute: l.Dispute, By: l.By,
	}
	if rec.Source == arena.Stalled { // older files have no number
		rec.Void = max(rec.Void, 1)
	}
	if l.Leg == 1 {
		rec.Pairing = [2]string{l.Second, l.First}
	}
	switch rec.Source {
	case arena.Natural, arena.Adjudicated, arena.Faulted, arena.Stalled, arena.Unrated:
	default:
		return nil, fmt.Errorf("game %s: source %q, want natural, adjudicated, fault, stalled or unrated", l.ID, l.Source)
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
