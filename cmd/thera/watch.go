package main

import (
	"errors"
	"io"

	"thera/arena"
	"thera/arena/report"
)

// watchers shows one run in several ways.
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

// Close ends all.
func (ws watchers) Close() error {
	var err error
	for _, w := range ws {
		err = errors.Join(err, w.Close())
	}
	return err
}

// watchers are the display on errOut and the file of --events.
func (o *playOptions) watchers(out, errOut io.Writer) (watchers, error) {
	ws := watchers{report.NewLive(errOut, o.verbose)} // a bar would be torn by the engines' lines
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, err
		}
		ws = append(ws, w)
	}
	return ws, nil
}
