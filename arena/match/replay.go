// A replay is a stored game that is played again by the rules. It has the positions, what each engine
// said about its moves, and the first move that the rules do not allow. The command line and the pages
// show games with it. Texts of engines are as they were stored.

package match

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// Illegal is the first move that the rules do not allow. Ply counts from 1.
type Illegal struct {
	Ply  int    `json:"ply"`
	Move string `json:"move"`
	Why  string `json:"why"`
}

func (i *Illegal) Error() string {
	return fmt.Sprintf("move %d: illegal move %q: %s", i.Ply, i.Move, i.Why)
}

// Moves plays moves from start, up to the first illegal move. A nil start means the game's standard
// position. The error is that of a start that cannot be read.
func Moves(g game.Game, start *string, moves []string) (*game.History, *Illegal, error) {
	var pos game.Position
	var err error
	if start == nil {
		pos, err = g.Start(0, 0)
	} else {
		pos, err = g.Parse(*start)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("start: %w", err)
	}
	history := game.Begin(pos)
	for i, move := range moves {
		bad := &Illegal{Ply: i + 1, Move: move}
		if _, over := history.Position.Outcome(); over {
			bad.Why = "game over"
			return history, bad, nil
		}
		next, err := history.Play(game.ParseTurn(history.Position.ToMove(), move))
		if err != nil {
			bad.Why = why(err)
			return history, bad, nil
		}
		history = next
	}
	return history, nil, nil
}

func why(err error) string {
	switch illegal, ok := errors.AsType[*game.Illegal](err); {
	case !ok:
		return err.Error()
	case illegal.Near != "":
		return fmt.Sprintf("%s (nearest legal: %s)", illegal.Rule, illegal.Near)
	default:
		return illegal.Rule
	}
}

// Replay is a stored game with its positions, up to the first illegal move.
type Replay struct {
	Rules   game.Game // with the run's rules
	Run     arena.RunInfo
	Record  *arena.Game
	Plies   []*game.History // from the start on
	Illegal *Illegal        // nil if all stored moves are legal
}

// NewReplay plays a record of a run again. g is the game with the run's rules.
func NewReplay(g game.Game, run arena.RunInfo, rec *arena.Game) (*Replay, error) {
	last, illegal, err := Moves(g, &rec.Start, rec.Moves)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", rec.ID, err)
	}
	r := &Replay{Rules: g, Run: run, Record: rec, Plies: make([]*game.History, last.Ply+1), Illegal: illegal}
	for at := last; at != nil; at = at.Prev {
		r.Plies[at.Ply] = at
	}
	return r, nil
}

// Last returns the number of the last ply.
func (r *Replay) Last() int { return len(r.Plies) - 1 }

// Asked returns the moves that were asked for at ply, none if the record does not have them, as in
// imported games.
func (r *Replay) Asked(ply int) []arena.Ply {
	from := 0
	for _, at := range r.Plies[:ply-1] {
		from += at.Position.ToMove().Len()
	}
	to := from + r.Plies[ply-1].Position.ToMove().Len()
	if len(r.Record.Plies) < len(r.Record.Moves) || to > len(r.Record.Plies) {
		return nil
	}
	return r.Record.Plies[from:to]
}

// Words returns the turn that led to ply in the game's words, if it has any, or as its text.
func (r *Replay) Words(ply int) string { return Words(r.Plies[ply]) }

// Words returns the last turn of a game in the game's words, if it has any, or as its text.
func Words(history *game.History) string {
	if words := history.Prev.Position.Words(history.Turn); words != "" {
		return words
	}
	return history.Turn.String()
}

// Score returns an engine's evaluation from its view, nil if it gave none.
func Score(p arena.Ply) *float64 {
	if !p.Scored {
		return nil
	}
	score := float64(p.Score)
	if p.Said != nil && p.Said.Score != 0 {
		score = p.Said.Score
	}
	return &score
}

// Said returns the evaluation, depth and time of a move, and what else the engine said about it.
func Said(p arena.Ply) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if score := Score(p); score != nil {
		add("score %+g", *score)
	}
	if p.Depth > 0 {
		add("depth %d", p.Depth)
	}
	add("%.0f ms", float64(p.Wall.Microseconds())/1000)
	s := p.Said
	if s == nil {
		return strings.Join(parts, ", ")
	}
	if p.Nodes > 0 {
		add("nodes %d", p.Nodes)
	}
	if s.Time > 0 {
		add("%d ms by its own clock", s.Time/time.Millisecond)
	}
	for _, part := range [][2]string{
		{"currmove", s.CurrMove}, {"currline", s.CurrLine}, {"pv", s.PV}, {"target", s.Target},
	} {
		if part[1] != "" {
			add("%s %s", part[0], part[1])
		}
	}
	for _, text := range s.Texts {
		add("%q", text)
	}
	return strings.Join(parts, ", ")
}
