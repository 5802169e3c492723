package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"thera/arena/report"

	"thera/arena"
	"thera/engine/game"
)

// eventLine is one line of --events. Fields that do not apply are left out.
type eventLine struct {
	Event   string   `json:"event"`
	Time    string   `json:"time"`
	Run     string   `json:"run"`
	Played  int      `json:"played"`
	Total   int      `json:"total,omitempty"`
	Kept    int      `json:"kept,omitempty"`
	Moves   int64    `json:"moves"`
	Seconds float64  `json:"seconds"`
	Workers int      `json:"workers,omitempty"` // on other machines
	Slots   int      `json:"slots,omitempty"`   // theirs and those of this machine
	Text    string   `json:"text,omitempty"`
	Game    *gameOf  `json:"game,omitempty"`
	SPRT    *sprtNow `json:"sprt,omitempty"`
}

type gameOf struct {
	ID     string     `json:"id"`
	Round  int        `json:"round"`
	Pair   int        `json:"pair"`
	First  string     `json:"first"`
	Second string     `json:"second"`
	Winner *game.Seat `json:"winner,omitempty"` // 0: a draw
	Reason string     `json:"reason,omitempty"`
	Plies  int        `json:"plies,omitempty"`
	Roles  *[2]string `json:"roles,omitempty"`
}

type sprtNow struct {
	LLR      float64 `json:"llr"`
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Decision string  `json:"decision"`
	Pairs    int     `json:"pairs"`
}

// eventWriter writes events as JSON lines without buffering.
type eventWriter struct {
	out   *bufio.Writer
	close func() error
	err   error
}

func newEventWriter(name string, stdout io.Writer) (*eventWriter, error) {
	if name == "-" {
		return &eventWriter{out: bufio.NewWriter(stdout), close: func() error { return nil }}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	return &eventWriter{out: bufio.NewWriter(f), close: f.Close}, nil
}

// Event implements arena.Watcher.
func (w *eventWriter) Event(e arena.Event) {
	if w.err != nil {
		return
	}
	line := eventLine{
		Event: string(e.Kind), Time: e.Time.UTC().Format(time.RFC3339Nano), Run: e.Run, Played: e.Played, Total: e.Total,
		Kept: e.Kept, Moves: e.Moves, Seconds: e.Elapsed.Seconds(), Workers: e.Workers, Slots: e.Slots, Text: e.Text,
	}
	if j := e.Job; j != nil {
		line.Game = &gameOf{ID: j.ID, Round: j.Round, Pair: j.Pair, First: j.Engine(game.First), Second: j.Engine(game.Second)}
		if r := e.Record; r != nil {
			line.Game.Winner, line.Game.Reason, line.Game.Plies = &r.Outcome.Winner, r.Outcome.Reason, len(r.Moves)
			if r.Roles != [2]string{} {
				line.Game.Roles = &r.Roles
			}
		}
	}
	if s := e.Test; s != nil {
		line.SPRT = &sprtNow{s.LLR, s.Lower, s.Upper, s.Decision, s.Pairs}
		if s.LLRAtDecision != nil {
			line.SPRT.LLR = *s.LLRAtDecision
		}
	}
	if w.err = report.NewJSON(w.out).Encode(line); w.err == nil {
		w.err = w.out.Flush()
	}
}

// Close closes the file and returns the first error.
func (w *eventWriter) Close() error {
	err := errors.Join(w.err, w.close())
	if err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return nil
}
