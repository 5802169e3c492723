package session

import (
	"context"
	"fmt"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// fill offers games until every slot has one more pair waiting. It reports
// whether any game is open. stuck says that the next game waits for others of which
// none is open, or that there is none.
func (r *run) fill() (open, stuck bool) {
	defer r.news()
	slots := r.slots() // workers may come meanwhile
	for {
		playing, open := r.pairs.state()
		if playing >= 2*slots {
			return open, false
		}
		work, state := r.fold.Next()
		if state != tournament.Ready {
			return open, !open
		}
		left, all := r.jobs.of(&work)
		if left = r.pairs.replace(work.Place, left); len(left) > 0 {
			r.pairs.Offer(&Pair{Place: work.Place, Jobs: left, All: all})
		}
	}
}

// slots is how many games are played at a time.
func (r *run) slots() int {
	if r.Remote == nil {
		return r.Plan.Concurrency
	}
	_, slots := r.Remote.Slots()
	return r.Slots + slots
}

// A start of a run ends when one pair was void so often, or when one in so many
// pairs was. Fewer than voidsLeast in all prove nothing.
const (
	voidsRunning = 3
	voidsLeast   = 3
	voidShare    = 20
)

// void takes back the pair at a place, of which handed games came before the one that stalled: the
// fold returns it once more. The error ends the run.
func (r *run) void(place int, stalled *arena.Game, handed int) error {
	r.voids[place]++
	r.pairs.voided()
	f, known := stalled.Bare(), r.fold.Known()
	r.fold.Void(place, &f)
	lost := known - r.fold.Known()
	r.played -= min(lost, handed)
	r.kept -= lost - min(lost, handed)
	r.emit(arena.Event{Kind: arena.Warned, Job: &stalled.Job, Record: stalled, Text: "the machine stalled in game " + stalled.ID + ": its pair is void and is played again"})
	r.news()
	if r.busy {
		return nil // it ends already
	}
	voids, why := 0, ""
	for _, n := range r.voids {
		voids += n
	}
	all := (r.kept+r.played)/2 + voids
	switch n := r.voids[place]; {
	case n >= voidsRunning:
		why = fmt.Sprintf("pair %d of %s - %s was void %d times in a row", f.Pair, f.Pairing[0], f.Pairing[1], n)
	case voids >= voidsLeast && voidShare*voids > all:
		why = fmt.Sprintf("%d of %d pairs were void, over %d %%", voids, all, 100/voidShare)
	default:
		return nil
	}
	moves := "these limits"
	if move := r.Plan.Limit.Move; move > 0 {
		moves = fmt.Sprintf("%g ms moves", move.Seconds()*1000)
	}
	r.busy = true
	return &StoppedError{fmt.Sprintf("this machine is too busy for %s: %s (hint: longer moves, fewer games at once or a quieter machine; the same command goes on)", moves, why)}
}

// finished counts a game that is stored.
func (r *run) finished(ctx context.Context, rec *arena.Game) error {
	r.moves += int64(len(rec.Moves))
	r.pairs.count(rec.ID)
	if rec.By != nil { // others of its worker, or it, may have been set aside meanwhile
		reason, games := r.out[rec.By.Worker], []string(nil)
		if reason == "" {
			reason, games = r.stale[rec.ID], []string{rec.ID}
		}
		delete(r.stale, rec.ID)
		if reason != "" {
			return r.exclude(ctx, rec.By.Worker, games, reason)
		}
	}
	if r.Remote != nil {
		r.Remote.Finished(rec)
	}
	f := rec.Bare()
	if !r.fold.Has(&f) {
		r.played++
		r.fold.Add(&f)
	}
	r.emit(arena.Event{Kind: arena.GameFinished, Job: &rec.Job, Record: rec})
	r.news()
	due := r.Every > 0 && (r.kept+r.played)%r.Every == 0
	if now := time.Now(); r.Watcher != nil && (due || now.Sub(r.shown) >= r.pause) {
		sum := r.summary()
		r.shown = time.Now()
		r.pause = max(progressEvery, 20*r.shown.Sub(now)) // a large run should not spend its time on tables
		r.emit(arena.Event{Kind: arena.Progressed, Summary: sum})
	}
	for i, name := range rec.Pairing {
		if spec := r.Plan.Engine(name); f.Side(i).Failed > 0 && spec != nil && spec.OnFault == arena.FaultStop {
			return &StoppedError{fmt.Sprintf("engine %s faulted in game %s (%v) and has on_fault: stop", name, rec.ID, rec.Fault)}
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

// warn reports a remark.
func (r *run) warn(text string) told {
	return func(context.Context) error {
		r.emit(arena.Event{Kind: arena.Warned, Text: text})
		return nil
	}
}

// emit completes an event and passes it on.
func (r *run) emit(e arena.Event) {
	if r.Watcher == nil {
		return
	}
	e.Time = time.Now()
	e.Run = r.Plan.Name
	e.Kept = r.kept
	e.Played = r.kept + r.played
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
