package main

import (
	"errors"
	"io"
	"strings"

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
// of --every.
func (o *playOptions) watchers(out, errOut io.Writer, width int) (watchers, error) {
	show := strings.TrimSpace("thera replay " + dbWords(o.db))
	live := report.NewLive(errOut, o.verbose, show) // the engines' lines would break a progress bar
	ws := watchers{live}
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, err
		}
		ws = append(ws, w)
	}
	if o.every > 0 {
		ws = append(ws, &standings{live: live, out: out, every: o.every, width: width, flags: dbWords(o.db)})
	}
	return ws, nil
}

// standings prints what a run has come to, after every so many games.
type standings struct {
	live  *report.Live
	out   io.Writer
	every int
	width int
	flags string // see report.Report
	shown int    // how many games there were
	err   error
}

// Event implements arena.Watcher.
func (s *standings) Event(e arena.Event) {
	switch {
	case e.Kind == arena.RunStarted:
		s.shown = e.Kept
	case e.Kind == arena.Progressed && e.Played/s.every > s.shown/s.every && e.Played != e.Total: // the end has its own
		s.shown = e.Played
		s.err = errors.Join(s.err, s.print(e.Summary))
	}
}

func (s *standings) print(sum *arena.Summary) error {
	r := report.New(sum)
	r.Width, r.Flags = s.width, s.flags
	var text strings.Builder
	if err := r.Brief(&text, ""); err != nil {
		return err
	}
	return s.live.Print(s.out, text.String()+"\n")
}

// Close implements watchers.
func (s *standings) Close() error { return s.err }
