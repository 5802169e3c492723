package main

import (
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/report"
)

// moveInfo returns what the record has about the move that led to ply, one line
// for each seat if both moved.
func (r *replay) moveInfo(ply int) string {
	var b strings.Builder
	plies := r.asked(ply)
	for _, p := range plies {
		if len(plies) > 1 {
			b.WriteString("\n")
		}
		b.WriteString("  " + r.rec.Engine(p.Seat) + " " + askedText(p))
	}
	return b.String()
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

// askedText returns the cost of a move and what its engine said about it.
func askedText(p arena.Ply) string {
	text := fmt.Sprintf("%.0f ms", float64(p.Wall.Microseconds())/1000)
	if p.Depth > 0 {
		text += fmt.Sprintf(", depth %d", p.Depth)
	}
	if p.Scored && (p.Said == nil || p.Said.Score == 0) {
		text += fmt.Sprintf(", score %+d", p.Score)
	}
	s := p.Said
	if s == nil {
		return text
	}
	if p.Scored && s.Score != 0 {
		text += fmt.Sprintf(", score %+g", s.Score)
	}
	if p.Nodes > 0 {
		text += fmt.Sprintf(", nodes %d", p.Nodes)
	}
	if s.Time > 0 {
		text += fmt.Sprintf(", time %d ms", s.Time/time.Millisecond)
	}
	for _, part := range [][2]string{{"currmove", s.CurrMove}, {"currline", s.CurrLine}, {"pv", s.PV}, {"target", s.Target}} {
		if part[1] != "" {
			text += ", " + part[0] + " " + report.Printable(part[1])
		}
	}
	for _, said := range s.Texts {
		text += fmt.Sprintf(", %q", report.Printable(said))
	}
	return text
}
