package main

import (
	"errors"
	"io"

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
func (ws watchers) Close() error {
	var err error
	for _, w := range ws {
		err = errors.Join(err, w.Close())
	}
	return err
}

// watchers returns the display on errOut and the file of --events.
func (o *playOptions) watchers(out, errOut io.Writer) (watchers, error) {
	ws := watchers{report.NewLive(errOut, o.verbose)} // the engines' lines would break a progress bar
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, err
		}
		ws = append(ws, w)
	}
	return ws, nil
}
