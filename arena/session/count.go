package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Put stores games of a pair and returns when they are durable and counted. The caller has
// verified them. Put drops games that are no longer needed. If the last game stalled, the pair
// is void. An error ends the run.
func (r *Run) Put(ctx context.Context, p *Pair, games []*arena.Game) error {
	r.storing.enter()
	return r.store(ctx, p, games)
}

// store is Put. The caller has entered storing, and store leaves it.
func (r *Run) store(ctx context.Context, p *Pair, games []*arena.Game) error {
	defer r.storing.leave()
	ctx = context.WithoutCancel(ctx) // games are stored even if the run ends now
	games, stalled := r.wanted(p, games)
	errs := make([]error, len(games))
	var puts sync.WaitGroup
	for i, g := range games {
		puts.Go(func() { errs[i] = r.put(ctx, p, g) })
		if p.Order {
			puts.Wait()
		}
	}
	puts.Wait()
	err := cmp.Or(errs...) // of all games for the same reason
	if err == nil && stalled != nil {
		err = r.void(ctx, p, stalled)
	}
	r.fail(err)
	return err
}

// wanted returns the games of a pair that have not come before, and the one that stalled.
func (r *Run) wanted(p *Pair, games []*arena.Game) (wanted []*arena.Game, stalled *arena.Game) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by := games[0].By; by != nil && r.out[by.Worker] {
		r.giveBack(p)
		return nil, nil
	}
	for _, g := range games {
		switch {
		case r.open[p.Place] != p || p.void || !p.missing[g.ID]:
		case g.Source == arena.Stalled:
			p.void, stalled = true, g
		default:
			delete(p.missing, g.ID)
			wanted = append(wanted, g)
		}
	}
	if len(p.missing) == 0 && len(wanted) > 0 {
		r.pairs++
		r.spent += time.Since(p.taken)
	}
	return wanted, stalled
}

// put stores a game and counts it.
func (r *Run) put(ctx context.Context, p *Pair, g *arena.Game) error {
	if err := r.Store.Put(ctx, r.ID, g); err != nil {
		return fmt.Errorf("storing game %s: %w", g.ID, err)
	}
	f := g.Bare()
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.left--; p.left == 0 && r.open[p.Place] == p {
		delete(r.open, p.Place)
	}
	r.moves += int64(len(g.Moves))
	r.director.Add(&f)
	r.emit(arena.Event{Kind: arena.GameFinished, Job: &g.Job, Record: g})
	r.progress()
	r.wake()
	r.look()
	for i, name := range g.Pairing {
		if f.Side(i).Failed > 0 && r.Plan.Engine(name).OnFault == arena.FaultStop {
			return &StoppedError{fmt.Sprintf("engine %s faulted in game %s (%v) and has on_fault: stop", name, g.ID, g.Fault)}
		}
	}
	return nil
}

// voidsRunning is how often a pair is void on this machine before the start of the run ends. The start
// also ends when so many pairs were void on this machine that they alone leave the run unrated.
const voidsRunning = 3

// void makes a pair void in which a game stalled. The director then returns the pair again.
func (r *Run) void(ctx context.Context, p *Pair, stalled *arena.Game) error {
	if err := r.Store.Void(ctx, r.ID, stalled, p.All); err != nil {
		return fmt.Errorf("storing game %s: %w", stalled.ID, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open[p.Place] == p {
		delete(r.open, p.Place)
	}
	if stalled.By == nil { // the Remote judges workers
		r.voids[p.Place]++
	}
	f, known := stalled.Bare(), r.director.Known()
	r.director.Void(p.Place, &f)
	r.kept -= max(0, known-r.director.Known()-(len(p.Jobs)-len(p.missing))) // its game of an earlier start
	r.emit(arena.Event{
		Kind: arena.Warned, Job: &stalled.Job, Record: stalled,
		Text: "the machine stalled in game " + stalled.ID + ": its pair is void and is played again",
	})
	r.wake()
	if r.look(); r.over {
		return nil
	}
	voids, why := 0, ""
	for _, n := range r.voids {
		voids += n
	}
	all := r.director.Known()/2 + voids
	switch n := r.voids[p.Place]; {
	case n >= voidsRunning:
		why = fmt.Sprintf("pair %d of %s - %s was void %d times in a row", f.Pair, f.Pairing[0], f.Pairing[1], n)
	case tournament.TooManyVoids(voids, all):
		why = fmt.Sprintf("%d of %d pairs were void, at least %d %%", voids, all, tournament.TooMany)
	default:
		return nil
	}
	moves := "these limits"
	if move := r.Plan.Limit.Move; move > 0 {
		moves = fmt.Sprintf("%g ms moves", move.Seconds()*1000)
	}
	err := &StoppedError{fmt.Sprintf("this machine is too busy for %s: %s "+
		"(hint: longer moves, fewer games at once or a quieter machine; the same command goes on)", moves, why)}
	r.finish(err) // before a slot takes the pair again
	return err
}

// errEnded is the error of Exclude if the run has ended. Its games no longer change.
var errEnded = errors.New("the run has ended")

// Exclude excludes games of a worker: those with these identities, or all of them if games is nil.
// The director is replaced by one with the remaining games, and the run goes on with the games that
// must be played again. If all are excluded, later games of the worker do not count. A caller that
// needs the run to go on must hold it. An error ends the run.
func (r *Run) Exclude(worker string, games []string, reason string) error {
	if !r.Hold() {
		return errEnded
	}
	defer r.Release()
	err := r.exclude(context.Background(), worker, games, reason)
	if err != nil {
		err = fmt.Errorf("excluding games of worker %s: %w", worker, err)
	}
	r.fail(err)
	return err
}

func (r *Run) exclude(ctx context.Context, worker string, games []string, reason string) error {
	r.storing.close()
	defer r.storing.open()
	n, err := r.Store.Exclude(ctx, r.ID, worker, games, reason)
	if err == nil && games == nil {
		r.mu.Lock()
		r.out[worker] = true
		r.mu.Unlock()
	}
	if err != nil || n == 0 {
		return err
	}
	done, err := r.Store.Finished(ctx, r.ID)
	director, failed := tournament.New(r.Plan)
	// The store has noted that the run is interrupted, and it goes on.
	if err = errors.Join(err, failed, r.Store.Note(ctx, r.ID, "running", "")); err != nil {
		return err
	}
	director.AddAll(tournament.Stored(done))
	r.mu.Lock()
	defer r.mu.Unlock()
	director.News() // was reported before
	r.director = director
	r.kept = min(r.kept, r.director.Known())
	clear(r.claims) // excluded games are played again
	r.emit(arena.Event{
		Kind: arena.Warned,
		Text: fmt.Sprintf("worker %s: %s are excluded and played again: %s", worker, arena.Plural(n, "game"), reason),
	})
	r.wake()
	return nil
}

// progressEvery is the shortest time between two reports of standings.
const progressEvery = 250 * time.Millisecond

// Warn reports a remark.
func (r *Run) Warn(text string) { r.event(arena.Event{Kind: arena.Warned, Text: text}) }

// event locks the run and emits an event.
func (r *Run) event(e arena.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.emit(e)
}

// news reports what the director decided. The caller holds the lock.
func (r *Run) news() {
	for _, text := range r.director.News() {
		r.emit(arena.Event{Kind: arena.Warned, Text: text})
	}
}

// progress reports the standings from time to time. The caller holds the lock.
func (r *Run) progress() {
	r.news()
	due := r.Every > 0 && r.director.Known()%r.Every == 0
	if now := time.Now(); r.Watcher != nil && (due || now.Sub(r.shown) >= r.pause) {
		sum := r.summary()
		r.shown = time.Now()
		r.pause = max(progressEvery, 20*r.shown.Sub(now)) // so that a large run does not spend its time on tables
		r.emit(arena.Event{Kind: arena.Progressed, Summary: sum})
	}
}

// emit completes an event and passes it to the watcher. The caller holds the lock.
func (r *Run) emit(e arena.Event) {
	if r.Watcher == nil {
		return
	}
	e.Time = time.Now()
	e.Run = r.Plan.Name
	e.Kept = r.kept
	e.Played = r.director.Known()
	e.Total = r.director.Games()
	e.Moves = r.moves
	e.Elapsed = e.Time.Sub(r.begun)
	e.Test = r.director.Test()
	if r.Remote != nil && e.Summary != nil {
		e.Workers, e.Slots = len(r.workers), r.Slots
		for _, slots := range r.workers {
			e.Slots += slots
		}
	}
	r.Watcher.Event(e)
}

// summary returns all that is decided so far. The caller holds the lock.
func (r *Run) summary() *arena.Summary {
	state := "running"
	if r.director.Stop() != nil {
		state = "finished"
	}
	known := r.director.Known()
	return r.director.Summary(arena.RunInfo{
		ID: r.ID, Name: r.Plan.Name, Game: r.Plan.Game.Name(), State: state, Started: r.begun, Changed: time.Now(),
		Games: known, Played: known - r.kept,
	})
}
