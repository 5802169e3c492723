package main

import (
	"errors"
	"fmt"
	"io"

	"thera/arena"
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

func (o *playOptions) watchers(out, errOut io.Writer) (watchers, error) {
	ws := watchers{plainWatcher{errOut}}
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, err
		}
		ws = append(ws, w)
	}
	return ws, nil
}

// plainWatcher prints warnings and faults, a line each.
type plainWatcher struct{ out io.Writer }

// Event implements arena.Watcher.
func (w plainWatcher) Event(e arena.Event) {
	switch {
	case e.Kind == arena.Warned:
		fmt.Fprintf(w.out, "warning: %s\n", e.Text)
	case e.Kind == arena.GameFinished && e.Record.Source == arena.Faulted:
		fmt.Fprintf(w.out, "%s: %s lost: %v\n", e.Record.ID, e.Record.Engine(e.Record.Blamed), e.Record.Fault)
	}
}

// Close has nothing to end.
func (w plainWatcher) Close() error { return nil }
