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

// watchers returns the display on errOut, the file of --events and the standings
// of --every. say prints a message on errOut while the run is displayed there.
func (o *playOptions) watchers(out, errOut io.Writer, width int) (ws watchers, say func(string), err error) {
	live := report.NewLive(errOut, o.replay())
	ws = watchers{live}
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, nil, err
		}
		ws = append(ws, w)
	}
	live.Every(o.every, out, width, dbWords(o.db))
	return ws, live.Say, nil
}
