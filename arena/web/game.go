package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/engine/game"
)

// asked is what an engine said about a move that it was asked for, with its cost.
type asked struct {
	Seat   game.Seat `json:"seat"`
	Engine string    `json:"engine"`
	Score  *float64  `json:"score"` // in the engine's unit, from its view; null if it gave none
	Depth  int       `json:"depth"`
	Nodes  int64     `json:"nodes"`
	Ms     float64   `json:"ms"`
	CPUMs  float64   `json:"cpu_ms"`
	PV     string    `json:"pv"`
	Said   string    `json:"said"` // the same and all else in words
}

// turn is one turn of a game: with a move of each seat that was asked, none where the record has none.
type turn struct {
	Ply   int     `json:"ply"`
	Move  string  `json:"move"`
	Words string  `json:"words"`
	Asked []asked `json:"asked"`
}

func askedOf(engine string, p arena.Ply) asked {
	e := asked{
		Seat: p.Seat, Engine: engine, Score: match.Score(p), Depth: p.Depth, Nodes: p.Nodes,
		Ms: float64(p.Wall.Microseconds()) / 1000, CPUMs: float64(p.CPU.Microseconds()) / 1000, Said: report.Printable(match.Said(p)),
	}
	if p.Said != nil {
		e.PV = report.Printable(p.Said.PV)
	}
	return e
}

// turnsOf are the turns of a game, as far as the rules can play them.
func turnsOf(g *match.Replay) []turn {
	moves := make([]turn, 0, g.Last())
	for ply := 1; ply <= g.Last(); ply++ {
		m := turn{Ply: ply, Move: g.Plies[ply].Turn.String(), Words: report.Printable(g.Words(ply)), Asked: []asked{}}
		for _, p := range g.Asked(ply) {
			m.Asked = append(m.Asked, askedOf(g.Record.Engine(p.Seat), p))
		}
		moves = append(moves, m)
	}
	return moves
}

// frame is one ply as it is shown.
type frame struct {
	Ply   int
	SVG   string
	Words string    // of the turn that led there
	Evals [2]*asked // each engine's last words
	End   string    // how the game ended, at its last ply
}

func frameOf(g *match.Replay, turns []turn, ply int) frame {
	f := frame{Ply: ply, SVG: g.Plies[ply].Position.SVG(g.Plies[ply].Turn, nil)}
	for _, turn := range turns[:ply] {
		f.Words = turn.Words
		for i := range turn.Asked {
			f.Evals[turn.Asked[i].Seat.Index()] = &turn.Asked[i]
		}
	}
	if ply == g.Last() {
		f.End = report.Printable(g.Record.Outcome.Reason)
	}
	return f
}

// gamePage is what the page of a game shows.
type gamePage struct {
	*arena.GameLine
	States  []string       `json:"states"`
	Turns   []turn         `json:"turns"`
	Illegal *match.Illegal `json:"illegal"`

	RunID   int64     `json:"run_id"`
	At      frame     `json:"-"`
	Last    int       `json:"-"`
	Graphs  []string  `json:"-"`
	Refused *refused  `json:"-"`
	Names   [2]string `json:"-"`
	Offline bool      `json:"-"` // in a report, without a server
	Packed  string    `json:"-"` // there: all plies, for the script
}

// refused is the state that the rules refused, next to the nearest legal one.
type refused struct {
	Ply        int
	Asked, Was string // boards
	Why        string
}

// game shows one game at a ply.
func (s *Server) game(r *http.Request) (*page, error) {
	g, err := s.opts.replay(r.Context(), r.PathValue("game"))
	if err != nil {
		return nil, err
	}
	ply, err := number(r, "ply", g.Last(), g.Last())
	if err != nil {
		return nil, err
	}
	v := gameOf(g)
	v.At = frameOf(g, v.Turns, ply)
	v.Graphs = plot.Game(v.Names, graphed(v.Turns), func(ply int) string { return fmt.Sprintf("?ply=%d", ply) })
	return &page{template: "game", title: v.First + " – " + v.Second, data: v, script: true}, nil
}

// Game is the JSON of a game on its page.
func Game(g *match.Replay) any { return gameOf(g) }

// gameOf returns all of a game but a ply.
func gameOf(g *match.Replay) *gamePage {
	rec := g.Record
	v := &gamePage{
		GameLine: rec.Line(g.Run.Name), Turns: turnsOf(g), Illegal: g.Illegal, Refused: refusedOf(g),
		RunID: g.Run.ID, Last: g.Last(), Names: [2]string{rec.Engine(game.First), rec.Engine(game.Second)},
	}
	v.States = arena.Map(g.Plies, func(at *game.History) string { return at.Position.String() })
	return v
}

// refusedOf finds the move that ended a game as illegal. The record has it as the
// fault's detail, before the rule that it broke.
func refusedOf(g *match.Replay) *refused {
	fault := g.Record.Fault
	at := g.Plies[g.Last()].Position
	if fault == nil || fault.Kind != game.FaultIllegal || at.ToMove().Only() == game.None {
		return nil
	}
	move, _, _ := strings.Cut(fault.Detail, ": ")
	asked, err := g.Rules.Parse(move)
	if err != nil {
		return nil // its moves are no positions
	}
	r := &refused{Ply: g.Last() + 1, Why: report.Printable(fault.Detail)}
	_, err = at.Play(game.By(at.ToMove().Only(), move))
	if illegal, ok := errors.AsType[*game.Illegal](err); ok && illegal.Near != "" {
		if legal, err := g.Rules.Parse(illegal.Near); err == nil {
			at, r.Was = legal, legal.SVG(game.Turn{}, nil)
		}
	}
	r.Asked = asked.SVG(game.Turn{}, at)
	return r
}

func graphed(moves []turn) []plot.Move {
	var out []plot.Move
	for _, m := range moves {
		for _, e := range m.Asked {
			out = append(out, plot.Move{Ply: m.Ply, Seat: e.Seat.Index(), Score: e.Score, Ms: e.Ms})
		}
	}
	return out
}

// frameJSON is a ply for the script.
type frameJSON struct {
	Ply     int    `json:"ply"`
	Board   string `json:"board"`
	Caption string `json:"caption"`
}

// mostFrames bounds the plies of one answer.
const mostFrames = 100

// framesOf renders plies for the script.
func framesOf(g *match.Replay, v *gamePage, from, to int) ([]frameJSON, error) {
	frames := make([]frameJSON, 0, to-from)
	for ply := from; ply < to; ply++ {
		f := frameOf(g, v.Turns, ply)
		caption, err := fragment("caption", map[string]any{"Frame": f, "Game": v})
		if err != nil {
			return nil, err
		}
		frames = append(frames, frameJSON{ply, f.SVG, caption})
	}
	return frames, nil
}

// frames answers with plies of a game from ?from= on, for stepping in the page.
func (s *Server) frames(r *http.Request) (*page, error) {
	g, err := s.opts.replay(r.Context(), r.PathValue("game"))
	if err != nil {
		return nil, err
	}
	from, err := number(r, "from", 0, g.Last())
	if err != nil {
		return nil, err
	}
	frames, err := framesOf(g, gameOf(g), from, min(from+mostFrames, g.Last()+1))
	return &page{data: frames}, err
}
