package runner

import (
	"context"
	"fmt"
	"time"

	"thera/arena"
	"thera/arena/queue"
	"thera/arena/tournament"
)

// fill offers games until every slot has one more pair waiting. It reports
// whether any game is open. stuck says that the next game waits for others of which
// none is open, or that there is none.
func (r *run) fill(ctx context.Context) (open, stuck bool, err error) {
	defer r.news()
	for slots := r.slots(); r.playing < 2*slots; { // workers may come meanwhile
		work, state := r.fold.Next()
		if state != tournament.Ready {
			stuck = r.open == 0
			break
		}
		jobs := r.jobs.of(&work)
		lease := queue.Lease{Place: work.Place, Attempt: r.attempts[work.Place], Jobs: jobs, Pair: r.jobs.pair(&work.Pair)}
		r.ledger.offer(lease)
		r.open += len(jobs)
		r.playing++
		if err := r.queue.Offer(ctx, lease); err != nil {
			return false, false, err
		}
	}
	return r.open > 0, stuck, nil
}

// slots is how many games are played at a time.
func (r *run) slots() int {
	if r.Remote == nil {
		return r.Plan.Concurrency
	}
	_, slots := r.Remote.Slots()
	return r.Slots + slots
}

// handle takes one message of a worker.
func (r *run) handle(ctx context.Context, m message) error {
	switch {
	case m.err != nil:
		return m.err
	case m.started != nil:
		r.emit(arena.Event{Kind: arena.GameStarted, Job: m.started})
	case m.stalled != nil:
		r.void(&m)
	case m.warning != "":
		r.emit(arena.Event{Kind: arena.Warned, Text: m.warning})
	case m.held != nil && r.finishing:
	case m.held != nil:
		return r.again(ctx, &m)
	case m.played:
		r.playing--
	case m.finished != nil:
		return r.finished(m.finished)
	}
	return nil
}

// void takes back a pair: the fold returns it once more.
func (r *run) void(m *message) {
	r.voided = true
	r.open -= m.left
	r.attempts[m.place] = m.attempt
	f, known := m.stalled.Finished(), r.fold.Known()
	r.fold.Void(m.place, &f)
	lost := known - r.fold.Known()
	r.result.Played -= min(lost, m.before)
	r.result.Kept -= lost - min(lost, m.before)
	r.emit(arena.Event{Kind: arena.Warned, Job: &m.stalled.Job, Record: m.stalled, Text: "the machine stalled in game " + m.stalled.ID + ": its pair is void and is played again"})
	r.news()
}

// finished counts a game that is stored.
func (r *run) finished(rec *arena.Record) error {
	r.result.Played++
	r.open--
	r.moves += int64(len(rec.Moves))
	f := rec.Finished()
	r.fold.Add(&f)
	r.emit(arena.Event{Kind: arena.GameFinished, Job: &rec.Job, Record: rec})
	r.news()
	due := r.Every > 0 && (r.result.Kept+r.result.Played)%r.Every == 0
	if now := time.Now(); r.Watcher != nil && (due || now.Sub(r.shown) >= r.pause) {
		sum := r.summary()
		r.shown = time.Now()
		r.pause = max(progressEvery, 20*r.shown.Sub(now)) // a large run should not spend its time on tables
		r.emit(arena.Event{Kind: arena.Progressed, Summary: sum})
	}
	if rec.Source == arena.Faulted && rec.Blamed != 0 {
		name := rec.Engine(rec.Blamed)
		if spec := r.Plan.Engine(name); spec != nil && spec.OnFault == arena.FaultStop {
			return &StoppedError{Engine: name, Record: rec}
		}
	}
	return nil
}

// progressEvery is how often standings are worth drawing anew.
const progressEvery = 250 * time.Millisecond

// news reports what the fold decided.
func (r *run) news() {
	for _, text := range r.fold.News() {
		r.emit(arena.Event{Kind: arena.Warned, Text: text})
	}
}

// remark shows remarks and stores them with the run.
func (r *run) remark(ctx context.Context, texts []string) error {
	for _, text := range texts {
		r.emit(arena.Event{Kind: arena.Warned, Text: text})
		if err := r.Store.Note(context.WithoutCancel(ctx), r.id, "running", text); err != nil {
			return &StoreError{fmt.Sprintf("noting %q", text), err}
		}
	}
	return nil
}

// emit completes an event and passes it on.
func (r *run) emit(e arena.Event) {
	if r.Watcher == nil {
		return
	}
	e.Time = time.Now()
	e.Run = r.Plan.Name
	e.Kept = r.result.Kept
	e.Played = r.result.Kept + r.result.Played
	e.Total = r.fold.Games()
	e.Moves = r.moves
	e.Elapsed = e.Time.Sub(r.begun)
	e.Test = r.fold.Test()
	if r.Remote != nil && e.Summary != nil {
		e.Workers, e.Slots = r.Remote.Slots()
		e.Slots += r.Slots
	}
	r.Watcher.Event(e)
}
