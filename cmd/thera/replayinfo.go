package main

import (
	"fmt"
	"time"

	"thera/arena/replay"
	"thera/arena/report"
	"thera/engine/game"
)

// moveText returns the move that led to ply in words, and what the record has
// about it, one line for each seat.
func (r *replayed) moveText(ply int) string {
	asked := r.Asked(ply)
	who := ""
	if len(asked) == 1 {
		who = r.Record.Engine(asked[0].Seat) + ": "
	}
	text := report.Printable(fmt.Sprintf("%d. %s%s", ply, who, r.Words(ply))) + "\n"
	for _, p := range asked {
		who := ""
		if len(asked) > 1 {
			who = r.Record.Engine(p.Seat) + ": "
		}
		text += report.Printable("   "+who+replay.Said(p)) + "\n"
	}
	return text
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

func (r *replayed) turn(ply int) turnLine {
	line := turnLine{Ply: ply, Words: r.Words(ply), Asked: []askedLine{}}
	for _, p := range r.Asked(ply) {
		asked := askedLine{
			Seat: p.Seat, Engine: r.Record.Engine(p.Seat), Score: replay.Score(p), TimeMs: milliseconds(p.Wall), CPUMs: milliseconds(p.CPU),
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
