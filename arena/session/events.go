package session

import (
	"time"

	"thera/arena"
)

// progressEvery is how often standings are worth drawing.
const progressEvery = 250 * time.Millisecond

// Warn shows a remark.
func (r *Run) Warn(text string) { r.event(arena.Event{Kind: arena.Warned, Text: text}) }

// event locks the run and passes an event on.
func (r *Run) event(e arena.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.emit(e)
}

// news reports what the fold decided. The lock is held.
func (r *Run) news() {
	for _, text := range r.fold.News() {
		r.emit(arena.Event{Kind: arena.Warned, Text: text})
	}
}

// progress reports the standings now and then. The lock is held.
func (r *Run) progress() {
	r.news()
	due := r.Every > 0 && r.fold.Known()%r.Every == 0
	if now := time.Now(); r.Watcher != nil && (due || now.Sub(r.shown) >= r.pause) {
		sum := r.summary()
		r.shown = time.Now()
		r.pause = max(progressEvery, 20*r.shown.Sub(now)) // a large run should not spend its time on tables
		r.emit(arena.Event{Kind: arena.Progressed, Summary: sum})
	}
}

// emit completes an event and passes it on. The lock is held.
func (r *Run) emit(e arena.Event) {
	if r.Watcher == nil {
		return
	}
	e.Time = time.Now()
	e.Run = r.Plan.Name
	e.Kept = r.kept
	e.Played = r.fold.Known()
	e.Total = r.fold.Games()
	e.Moves = r.moves
	e.Elapsed = e.Time.Sub(r.begun)
	e.Test = r.fold.Test()
	if r.Remote != nil && e.Summary != nil {
		e.Workers, e.Slots = len(r.workers), r.Slots
		for _, slots := range r.workers {
			e.Slots += slots
		}
	}
	r.Watcher.Event(e)
}

// summary is what is decided so far. The lock is held.
func (r *Run) summary() *arena.Summary {
	state := "running"
	if r.fold.Stop() != nil {
		state = "finished"
	}
	known := r.fold.Known()
	return r.fold.Summary(arena.RunInfo{
		ID: r.ID, Name: r.Plan.Name, Game: r.Plan.Game.Name(), State: state, Started: r.begun, Changed: time.Now(),
		Games: known, Played: known - r.kept,
	})
}
