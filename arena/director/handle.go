package director

import (
	"context"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/queue"
	"thera/arena/tournament"
)

// fill offers pairs until every slot has one more waiting. Games that are
// there already are counted, not played. It reports whether any pair is
// unfinished.
func (r *run) fill(ctx context.Context) bool {
	for r.playing < 2*r.Plan.Concurrency {
		place, pair, state := r.schedule.Next()
		if state != tournament.Ready {
			break
		}
		all := r.jobs.of(pair)
		p := &openPair{pair: pair, games: make([]tournament.Game, len(all)), have: make([]bool, len(all))}
		r.open[place] = p
		var missing []arena.Job
		for i := range all {
			all[i].Index = r.index
			r.index++
			if f := r.kept[all[i].ID]; f != nil {
				p.games[i], p.have[i] = gameOf(f, all[i].Pairing), true
				continue
			}
			missing = append(missing, all[i])
		}
		if len(missing) == 0 {
			r.close(place, p)
			continue
		}
		if err := r.queue.Offer(ctx, queue.Lease{Place: place, Jobs: missing}); err != nil {
			return true // ctx has ended; the loop sees that
		}
		r.playing++
	}
	r.notes(ctx)
	return len(r.open) > 0
}

// close gives a pair's result to the schedule once both games are there.
func (r *run) close(place int, p *openPair) {
	if slices.Contains(p.have, false) {
		return
	}
	delete(r.open, place)
	r.schedule.Finish(place, tournament.Result{Games: p.games})
}

// handle takes one message of a worker.
func (r *run) handle(ctx context.Context, m message) error {
	switch {
	case m.err != nil:
		return m.err
	case m.started != nil:
		r.emit(arena.Event{Kind: arena.GameStarted, Job: m.started})
	case m.stalled != nil:
		r.emit(arena.Event{Kind: arena.Warned, Job: &m.stalled.Job, Record: m.stalled, Text: "the machine stalled in game " + m.stalled.ID + ": it is replayed"})
	case m.played:
		r.playing--
	case m.finished != nil:
		return r.finished(ctx, m.place, m.finished)
	}
	return nil
}

// finished counts a game that is stored.
func (r *run) finished(ctx context.Context, place int, rec *arena.Record) error {
	r.result.Played++
	r.moves += int64(len(rec.Moves))
	if p := r.open[place]; p != nil {
		f := rec.Finished()
		at := slices.Index(p.pair.Legs(), rec.Leg)
		p.games[at], p.have[at] = gameOf(&f, rec.Pairing), true
		r.close(place, p)
	}
	r.emit(arena.Event{Kind: arena.GameFinished, Job: &rec.Job, Record: rec})
	r.notes(ctx)
	if now := time.Now(); now.Sub(r.shown) >= progressEvery {
		r.shown = now
		r.emit(arena.Event{Kind: arena.Progressed})
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

// notes records and shows what the schedule remarked.
func (r *run) notes(ctx context.Context) {
	for _, text := range r.schedule.Remarks() {
		r.warn(ctx, text)
	}
}

// warn shows a remark and keeps it with the run. A remark that cannot be
// stored is no reason to stop: the next game that cannot be is.
func (r *run) warn(ctx context.Context, text string) {
	_ = r.Keeper.Note(context.WithoutCancel(ctx), r.id, "running", text)
	r.emit(arena.Event{Kind: arena.Warned, Text: text})
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
	e.Total = r.schedule.Games()
	e.Moves = r.moves
	e.Elapsed = e.Time.Sub(r.begun)
	e.SPRT = r.schedule.SPRT()
	r.Watcher.Event(e)
}
