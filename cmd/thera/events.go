package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"thera/arena"
	"thera/arena/report"
)

// eventLine is one line of --events.
type eventLine struct {
	arena.Event
	Seconds float64         `json:"seconds"`
	Game    *arena.GameLine `json:"game,omitempty"` // that is finished
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
	line := eventLine{Event: e, Seconds: e.Elapsed.Seconds()}
	line.Time = e.Time.UTC()
	if e.Record != nil {
		line.Job, line.Game = nil, e.Record.Line("")
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
