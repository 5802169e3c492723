package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Pair has the games of a pair that must be played. It waits, or one slot has it: a slot of this
// process or of a worker elsewhere.
type Pair struct {
	Place int         // of the pair in job order
	Jobs  []arena.Job // in the order in which they are played
	All   []string    // identities of all games of the pair, those that are not to be played as well
	Kept  bool        // a worker says that it has played it before this start
	Order bool        // the first game is stored before the second one
	Slow  []string    // workers that had it for too long; written by the slot that has it

	// Audit is set if the games are already stored. It is called with the games as they were
	// played again, up to one that stalled. who is the worker, "" for this process.
	Audit func(who string, games []*arena.Game)
	Of    string // the worker that played the audited games, which may not play them again
	Here  bool   // only this process may play them

	taken   time.Time
	missing map[string]bool // games that nobody has put
	left    int             // number of games that are not stored and counted
	void    bool
}

// Take waits for a pair for a slot of a worker. "" means this process.
func (r *Run) Take(ctx context.Context, who string) (*Pair, error) {
	for ctx.Err() == nil {
		r.mu.Lock()
		p, changed := r.next(who), r.changed
		if p == nil {
			r.idle[who]++
		}
		r.mu.Unlock()
		if p != nil {
			return p, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
		r.mu.Lock()
		r.idle[who]--
		r.mu.Unlock()
	}
	return nil, ctx.Err()
}

// next takes a pair that waits, or the next one of the director. It returns nil if there is none.
// The caller holds the lock.
func (r *Run) next(who string) *Pair {
	if r.over || r.Last.Err() != nil {
		return nil
	}
	for i, p := range r.waiting {
		if r.may(p, who) {
			r.waiting = slices.Delete(r.waiting, i, i+1)
			return r.take(p)
		}
	}
	for !r.referee(who) {
		work, state := r.director.Next()
		if state != tournament.Ready {
			if state == tournament.Wait && len(r.open)+r.holds == 0 {
				r.finish(errors.New("the run waits for games that are not being played"))
			}
			return nil
		}
		p := r.pair(&work)
		switch {
		case p == nil:
		case r.may(p, who):
			return r.take(p)
		default:
			r.waiting = append(r.waiting, p)
		}
	}
	return nil
}

// take gives a pair to a slot that may have it. The caller holds the lock.
func (r *Run) take(p *Pair) *Pair {
	p.taken, p.Kept = time.Now(), r.claims[p.All[0]] != ""
	delete(r.claims, p.All[0])
	return p
}

// referee reports whether this is the slot of a process that only lets workers play. It plays the
// audits that nobody else may play.
func (r *Run) referee(who string) bool { return who == "" && r.Slots == 0 }

// may reports whether a slot may have a pair. The caller holds the lock.
func (r *Run) may(p *Pair, who string) bool {
	over := r.director.Stop() != nil // then only audits are left to play
	switch {
	case slices.Contains(p.Slow, who) && (p.Audit != nil || r.Slots > 0 || r.others(p)):
		return false
	case p.Audit == nil:
		claim := r.claims[p.All[0]]
		free := claim == "" || claim == who || len(p.Slow) > 0 || time.Since(r.begun) > claimed
		return free && !over && !r.referee(who)
	case p.Here:
		return who == ""
	case !r.referee(who):
		return who != p.Of
	}
	return over || !r.others(p)
}

// others reports whether a worker is there that had a pair neither for too long nor before it was audited. The
// lock is held.
func (r *Run) others(p *Pair) bool {
	for name := range r.workers {
		if name != p.Of && !slices.Contains(p.Slow, name) {
			return true
		}
	}
	return false
}

// pair returns a new pair with the games that are left to play, nil if these are already in one.
// The caller holds the lock.
func (r *Run) pair(w *tournament.Work) *Pair {
	of := &w.Pair
	pairing := [2]string{r.Plan.Engines[of.A].Name, r.Plan.Engines[of.B].Name}
	id, known := r.ids[pairing]
	if !known {
		id = r.Plan.Identity(pairing)
		r.ids[pairing] = id
	}
	p := &Pair{Place: w.Place, missing: map[string]bool{}, left: len(w.Legs)}
	for _, leg := range of.Legs() {
		p.All = append(p.All, id.Job(of.Number, leg))
	}
	for _, leg := range w.Legs {
		job := tournament.JobOf(r.Plan, id, of.Number, leg)
		job.Round, job.Index = of.Round, w.Index(leg)
		p.Jobs = append(p.Jobs, job)
		p.missing[job.ID] = true
	}
	if other := r.open[w.Place]; other != nil { // of an earlier director
		has := func(j arena.Job) bool {
			return slices.ContainsFunc(other.Jobs, func(o arena.Job) bool { return o.ID == j.ID })
		}
		if !slices.ContainsFunc(p.Jobs, func(j arena.Job) bool { return !has(j) }) {
			return nil // its games will come, or are being stored
		}
		r.waiting = slices.DeleteFunc(r.waiting, func(p *Pair) bool { return p == other })
	}
	r.open[w.Place] = p
	return p
}

// Return gives back a pair that was taken. The next slot gets it.
func (r *Run) Return(p *Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.giveBack(p)
}

// giveBack is Return. The caller holds the lock.
func (r *Run) giveBack(p *Pair) {
	if p.Audit != nil || r.open[p.Place] == p {
		r.waiting = slices.Insert(r.waiting, 0, p)
		r.wake()
	}
	r.look()
}

// Offer adds an audit to the pairs that wait.
func (r *Run) Offer(p *Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, p)
	r.wake()
}

// wake makes all waiting slots look again. The caller holds the lock.
func (r *Run) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// claimed is the time for which pairs are kept for workers that say that they have played them.
// These workers answer at once.
const claimed = 2 * time.Minute

// Join adds a worker elsewhere, with its slots, until Leave. claims are the pairs that it has
// played before this start of the run, by their first games. They are kept for it.
func (r *Run) Join(who string, slots int, claims []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.workers[who] = slots
	for _, id := range claims {
		r.claims[id] = who
	}
	r.wake()
}

// Leave removes a worker that joined.
func (r *Run) Leave(who string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.workers, who)
	for id, other := range r.claims {
		if other == who {
			delete(r.claims, id)
		}
	}
	r.wake()
}

// Usual returns the mean time for which slots had pairs, and true. If no pair was played in this
// start, it returns 0, and true if a slot of somebody else has nothing to play: who is slow then keeps
// that slot waiting.
func (r *Run) Usual(who string) (mean time.Duration, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for other, n := range r.idle {
		known = known || other != who && n > 0 && !r.referee(other)
	}
	return r.spent / time.Duration(max(r.pairs, 1)), known || r.pairs > 0
}

// slot plays pairs until ctx ends. Its engines start when the first pair comes. Each game is
// stored while the next one is played.
func (r *Run) slot(ctx context.Context, slot int) error {
	var worker arena.Worker
	var pending sync.WaitGroup
	put := func(p *Pair, g *arena.Game) {
		r.storing.enter() // a slot waits if too many games are not yet durable
		pending.Go(func() {
			_ = r.store(ctx, p, []*arena.Game{g}) // the run keeps the error
		})
	}
	var err error
	for err == nil {
		var p *Pair
		if p, err = r.Take(ctx, ""); err != nil {
			break
		}
		if worker == nil {
			worker = r.Worker(slot)
		}
		var games []*arena.Game
		games, err = PlayPair(ctx, r.Plan, worker, p.Jobs, func(job *arena.Job, g *arena.Game) error {
			switch {
			case g == nil && r.Last.Err() != nil:
				return r.Last.Err()
			case p.Audit != nil:
			case g == nil:
				r.event(arena.Event{Kind: arena.GameStarted, Job: job})
			default:
				if g.Source == arena.Stalled {
					pending.Wait() // earlier games of the pair must be stored before it is void
				}
				put(p, g)
			}
			return nil
		})
		if err != nil && r.Last.Err() != nil {
			pending.Wait()
			r.Return(p) // so that the run ends with the games of others
		}
		if p.Audit != nil && err == nil {
			p.Audit("", games)
		}
	}
	pending.Wait()
	if worker != nil {
		if closed := worker.Close(); closed != nil {
			return errors.Join(err, fmt.Errorf("ending engines: %w", closed))
		}
	}
	return err
}

// PlayPair plays the games of a pair up to one that stalls. It calls each before each game with
// nil, and after the game with it. If each returns an error, PlayPair stops. each may be nil.
func PlayPair(
	ctx context.Context, plan *arena.Plan, worker arena.Worker, jobs []arena.Job, each func(job *arena.Job, g *arena.Game) error,
) (games []*arena.Game, err error) {
	start, err := tournament.Make(ctx, plan, jobs[0])
	if err != nil {
		return nil, err
	}
	if each == nil {
		each = func(*arena.Job, *arena.Game) error { return nil }
	}
	for i := range jobs {
		if err := each(&jobs[i], nil); err != nil {
			return games, err
		}
		g, err := worker.Play(ctx, jobs[i], start)
		if err == nil {
			err = each(&jobs[i], g)
		}
		if err != nil {
			return games, err
		}
		games = append(games, g)
		if g.Source == arena.Stalled {
			break
		}
	}
	return games, nil
}
