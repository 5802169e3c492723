package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/report"
	"thera/engine/game"
)

// words returns the turn that led to ply in words, and as it was written where
// the game has no words for it.
func (r *replay) words(ply int) string {
	turn := r.lines[ply].Turn
	text := ""
	if d, ok := r.lines[ply-1].Position.(game.Drawer); ok {
		text = d.Words(turn)
	}
	return cmp.Or(text, turn.String())
}

// moveText returns the move that led to ply in words, and what the record has
// about it, one line for each seat.
func (r *replay) moveText(ply int) string {
	asked := r.asked(ply)
	who := ""
	if len(asked) == 1 {
		who = r.rec.Engine(asked[0].Seat) + ": "
	}
	text := fmt.Sprintf("%d. %s%s\n", ply, who, r.words(ply))
	for _, p := range asked {
		who := ""
		if len(asked) > 1 {
			who = r.rec.Engine(p.Seat) + ": "
		}
		text += "   " + who + askedText(p) + "\n"
	}
	return report.Lines(text)
}

// asked returns the moves that were asked for at ply. It returns none if the
// record does not list them, as in imported games.
func (r *replay) asked(ply int) []arena.Ply {
	from := 0
	for _, line := range r.lines[:ply-1] {
		from += line.Position.ToMove().Len()
	}
	to := from + r.lines[ply-1].Position.ToMove().Len()
	if len(r.rec.Plies) < len(r.rec.Moves) || to > len(r.rec.Plies) {
		return nil
	}
	return r.rec.Plies[from:to]
}

// scoreOf returns an engine's evaluation from its own view, nil if it gave none.
func scoreOf(p arena.Ply) *float64 {
	if !p.Scored {
		return nil
	}
	score := float64(p.Score)
	if p.Said != nil && p.Said.Score != 0 {
		score = p.Said.Score
	}
	return &score
}

// askedText returns the evaluation, depth and time of a move, and what else its
// engine said about it.
func askedText(p arena.Ply) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if score := scoreOf(p); score != nil {
		add("score %+g", *score)
	}
	if p.Depth > 0 {
		add("depth %d", p.Depth)
	}
	add("%.0f ms", milliseconds(p.Wall))
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
	for _, part := range [][2]string{{"currmove", s.CurrMove}, {"currline", s.CurrLine}, {"pv", s.PV}, {"target", s.Target}} {
		if part[1] != "" {
			add("%s %s", part[0], report.Printable(part[1]))
		}
	}
	for _, text := range s.Texts {
		add("%q", report.Printable(text))
	}
	return strings.Join(parts, ", ")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// turnLine is a turn in the JSON of replay.
type turnLine struct {
	Ply   int         `json:"ply"`
	Words string      `json:"words"`
	Asked []askedLine `json:"asked"` // a move of each seat that was asked; empty where the record has none
}

// askedLine is what one asked move took. What the engine did not say is null.
type askedLine struct {
	Seat   game.Seat `json:"seat"`
	Engine string    `json:"engine"`
	Score  *float64  `json:"score"` // in the engine's units, from its view
	Depth  *int      `json:"depth"`
	Nodes  *int64    `json:"nodes"`
	TimeMs float64   `json:"time_ms"`
	CPUMs  float64   `json:"cpu_ms"`
	PV     *string   `json:"pv"`
}

func (r *replay) turn(ply int) turnLine {
	line := turnLine{Ply: ply, Words: r.words(ply), Asked: []askedLine{}}
	for _, p := range r.asked(ply) {
		asked := askedLine{
			Seat: p.Seat, Engine: r.rec.Engine(p.Seat), Score: scoreOf(p), TimeMs: milliseconds(p.Wall), CPUMs: milliseconds(p.CPU),
			Depth: said(p.Depth), Nodes: said(p.Nodes),
		}
		if p.Said != nil {
			asked.PV = said(p.Said.PV)
		}
		line.Asked = append(line.Asked, asked)
	}
	return line
}

// said returns a pointer to x, nil if it is zero.
func said[T comparable](x T) *T {
	if x == *new(T) {
		return nil
	}
	return &x
}
