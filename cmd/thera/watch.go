package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"thera/arena"
	"thera/arena/report"
)

// watchers show one run in several ways.
type watchers []interface {
	arena.Watcher
	Close() error
}

// Event implements arena.Watcher.
func (ws watchers) Event(e arena.Event) {
	for _, w := range ws {
		w.Event(e)
	}
}

// Close closes all watchers.
func (ws watchers) Close() (err error) {
	for _, w := range ws {
		err = errors.Join(err, w.Close())
	}
	return err
}

// eventLine is one line of --events.
type eventLine struct {
	arena.Event
	Seconds float64         `json:"seconds"`
	Game    *arena.GameLine `json:"game,omitempty"` // that is finished
}

// eventWriter writes events as JSON lines without buffering.
type eventWriter struct {
	file *os.File // nil: stdout
	enc  *json.Encoder
	err  error
}

func newEventWriter(name string, stdout io.Writer) (*eventWriter, error) {
	if name == "-" {
		return &eventWriter{enc: report.NewJSON(stdout)}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	return &eventWriter{file: f, enc: report.NewJSON(f)}, nil
}

// Event implements arena.Watcher.
func (w *eventWriter) Event(e arena.Event) {
	line := eventLine{Event: e, Seconds: e.Elapsed.Seconds()}
	line.Time = e.Time.UTC()
	if e.Record != nil {
		line.Job, line.Game = nil, e.Record.Line("")
	}
	if w.err == nil {
		w.err = w.enc.Encode(line)
	}
}

// Close closes the file and returns the first error.
func (w *eventWriter) Close() error {
	err := w.err
	if w.file != nil {
		err = errors.Join(err, w.file.Close())
	}
	if err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return nil
}
