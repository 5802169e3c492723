package arena

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"thera/engine/game"
)

// GameLine is a game as JSON, with what follows from it. It is the one form in
// which games are exported, listed for scripts, sent and stored. It can be judged
// without its run.
type GameLine struct {
	Run    string        `json:"run,omitempty"` // where a game is not with its run
	First  string        `json:"first"`         // engines by seat
	Second string        `json:"second"`
	Winner game.Seat     `json:"winner"` // 0: a draw
	Reason string        `json:"reason"`
	Fault  *GameFault    `json:"fault,omitempty"`
	Points [2]float64    `json:"points,omitzero"` // by seat
	Plies  int           `json:"plies"`
	Sides  [2]SeatTotals `json:"sides"` // by seat
	Game
}

// GameFault is the fault that ended a game.
type GameFault struct {
	Seat   game.Seat      `json:"seat"`
	Engine string         `json:"engine"`
	Kind   game.FaultKind `json:"kind,omitempty"`
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

// Line returns the game as JSON has it. run is the name of its run, "" where
// the game is with its run. That of a bare game is without what the game is without.
func (r *Game) Line(run string) *GameLine {
	l := &GameLine{
		Run: run, First: r.Engine(game.First), Second: r.Engine(game.Second),
		Winner: r.Outcome.Winner, Reason: r.Outcome.Reason, Points: r.Outcome.Points, Plies: max(len(r.Moves), r.Turns), Game: *r,
	}
	l.Pairing = [2]string{} // First and Second say it
	l.Status, l.Started = cmp.Or(r.Status, StatusCounted), r.Started.UTC()
	if l.Moves == nil && r.Turns == 0 {
		l.Moves = []string{}
	}
	if f := cmp.Or(r.Fault, &game.Fault{}); r.Fault != nil || r.Blamed != game.None {
		l.Fault = &GameFault{Seat: r.Blamed, Kind: f.Kind, Detail: f.Detail}
		if r.Blamed != game.None {
			l.Fault.Engine = r.Engine(r.Blamed)
		}
	}
	for i, seat := range [...]game.Seat{game.First, game.Second} {
		e := r.effort(seat)
		l.Sides[i] = SeatTotals{Moves: e.Moves, Ms: ms(e.Wall), CPUMs: ms(e.CPU), Nodes: e.Nodes, IdleMs: ms(e.Idle)}
		if e.Depths > 0 {
			l.Sides[i].Depth = new(float64(e.Depth) / float64(e.Depths))
		}
	}
	return l
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Checked returns the game that the line was made of.
func (l *GameLine) Checked() (*Game, error) {
	statuses, sources := []Status{"", StatusCounted, StatusVoid, StatusExcluded}, []Source{Natural, Adjudicated, Faulted, Stalled, Unrated}
	switch {
	case l.ID == "":
		return nil, fmt.Errorf("no id")
	case l.First == "" || l.Second == "":
		return nil, fmt.Errorf("game %s: an engine has no name", l.ID)
	case l.Leg != 0 && l.Leg != 1:
		return nil, fmt.Errorf("game %s: leg %d, want 0 or 1", l.ID, l.Leg)
	case l.Winner > game.Second:
		return nil, fmt.Errorf("game %s: winner %d, want 0, 1 or 2", l.ID, l.Winner)
	case l.Fault != nil && l.Fault.Seat > game.Second:
		return nil, fmt.Errorf("game %s: fault of seat %d, want 1 or 2", l.ID, l.Fault.Seat)
	case !slices.Contains(sources, l.Source):
		return nil, fmt.Errorf("game %s: source %q, want one of %v", l.ID, l.Source, sources)
	case !slices.Contains(statuses, l.Status):
		return nil, fmt.Errorf("game %s: status %q, want one of %v", l.ID, l.Status, statuses)
	}
	r := l.Game
	r.Pairing = [2]string{l.First, l.Second}
	if l.Leg == 1 {
		r.Pairing = [2]string{l.Second, l.First}
	}
	r.Outcome = game.Outcome{Winner: l.Winner, Reason: l.Reason, Points: l.Points}
	if f := l.Fault; f != nil {
		r.Fault, r.Blamed = &game.Fault{Kind: f.Kind, Detail: f.Detail}, f.Seat
	}
	return &r, nil
}
