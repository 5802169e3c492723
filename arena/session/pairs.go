package session

import (
	"context"
	"slices"
	"sync"

	"thera/arena"
)

// Pair is a pair's games that are to be played. It waits, or it is in the hands of one slot:
// of this process, or of a worker elsewhere.
type Pair struct {
	Place int         // of the pair in job order
	Jobs  []arena.Job // in the order in which they are played
	All   []string    // identities of all games of the pair, those that are not to be played as well

	// Audit, if set, says that the games are stored already. It takes those of somebody who has
	// played them again, of a worker or of this process, which is "", up to one that stalled.
	Audit func(who string, recs []*arena.Game)
	Of    string // the worker that played the audited games: it may not play them again
	Here  bool   // only this process may play them, apart from its slots

	missing map[string]bool // games that have not come
}

// pairs are the pairs of a run that were offered and whose games have not all come. It is in
// the memory of this process alone: what is left to play follows from the games that are stored.
type pairs struct {
	slots int // of this process

	mu      sync.Mutex
	open    map[int]*Pair   // by place, without audits: those that are not played to their end
	coming  map[string]bool // games that have come, and that the run has not counted
	voiding int             // pairs that are void, of which the run does not know yet

	waiting []*Pair
	takers  []*taker          // who wait, the longest first
	workers map[string]bool   // elsewhere that play
	claims  map[string]string // workers that have played a pair before this start, by its first game
	audits  bool              // nothing but audits is played any more
}

// taker is a slot that waits for a pair.
type taker struct {
	who     string // "" is this process
	referee bool   // for audits that nobody else may play, or that the run waits for
	got     chan *Pair
}

func newPairs(slots int) *pairs {
	return &pairs{
		slots: slots, open: map[int]*Pair{}, coming: map[string]bool{},
		workers: map[string]bool{}, claims: map[string]string{},
	}
}

// Offer puts a pair behind those that wait: one that is to be played, or an audit.
func (q *pairs) Offer(p *Pair) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p.Audit == nil {
		q.audits = false
		q.open[p.Place] = p
		p.missing = map[string]bool{}
		for _, job := range p.Jobs {
			p.missing[job.ID] = true
		}
	}
	q.waiting = append(q.waiting, p)
	q.deal()
}

// deal gives pairs that wait to takers. The lock is held.
func (q *pairs) deal() {
	for i := 0; i < len(q.waiting) && len(q.takers) > 0; {
		p := q.waiting[i]
		at := slices.IndexFunc(q.takers, func(t *taker) bool { return q.may(p, t) })
		if at < 0 {
			i++
			continue
		}
		q.takers[at].got <- p // it has room
		q.takers = slices.Delete(q.takers, at, at+1)
		delete(q.claims, p.All[0])
		if i == 0 {
			q.waiting = q.waiting[1:]
		} else {
			q.waiting = slices.Delete(q.waiting, i, i+1)
		}
	}
}

// may reports whether a pair is for a taker. The lock is held.
func (q *pairs) may(p *Pair, t *taker) bool {
	switch {
	case p.Audit == nil:
		claim := q.claims[p.All[0]]
		return !t.referee && (claim == "" || claim == t.who)
	case p.Here:
		return t.referee
	case !t.referee:
		return t.who != p.Of
	}
	if q.audits {
		return true // whoever else is there may keep what it has
	}
	others := q.slots
	for name := range q.workers {
		if name != p.Of {
			others++
		}
	}
	return others == 0
}

// Take waits for a pair that a slot of a worker may play.
func (q *pairs) Take(ctx context.Context, who string) (*Pair, error) {
	return q.take(ctx, &taker{who: who, got: make(chan *Pair, 1)})
}

func (q *pairs) take(ctx context.Context, t *taker) (*Pair, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q.mu.Lock()
	q.takers = append(q.takers, t)
	q.deal()
	q.mu.Unlock()
	select {
	case p := <-t.got:
		return p, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	q.takers = slices.DeleteFunc(q.takers, func(other *taker) bool { return other == t })
	q.mu.Unlock()
	select {
	case p := <-t.got: // at the last moment
		q.Return(p)
	default:
	}
	return nil, ctx.Err()
}

// Return gives a pair back that was taken, for the next that comes: those of its games that have
// not come.
func (q *pairs) Return(p *Pair) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p.Audit == nil {
		if q.open[p.Place] != p {
			return
		}
		if q.audits {
			delete(q.open, p.Place)
			return
		}
		p.Jobs = slices.DeleteFunc(slices.Clone(p.Jobs), func(j arena.Job) bool { return !p.missing[j.ID] })
	}
	q.waiting = slices.Insert(q.waiting, 0, p)
	q.deal()
}

// Join enters a worker elsewhere, until Leave. Pairs that it has played before this start of the
// run, named by their first games, are kept for it.
func (q *pairs) Join(who string, claims []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.workers[who] = true
	for _, id := range claims {
		q.claims[id] = who
	}
	q.deal()
}

// Leave ends what Join began.
func (q *pairs) Leave(who string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.workers, who)
	for id, other := range q.claims {
		if other == who {
			delete(q.claims, id)
		}
	}
	q.deal()
}

// unclaim ends all claims: what is offered from now on was set aside, and is played anew.
func (q *pairs) unclaim() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.claims)
	q.deal()
}

// withdraw removes all pairs that wait, but audits: nothing else is played any more.
func (q *pairs) withdraw() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.audits = true
	q.waiting = slices.DeleteFunc(q.waiting, func(p *Pair) bool {
		if p.Audit == nil {
			delete(q.open, p.Place)
		}
		return p.Audit == nil
	})
	q.deal()
}

// state is how many pairs are not played to their end, and whether games are not counted.
func (q *pairs) state() (playing int, open bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.open), len(q.open)+len(q.coming)+q.voiding > 0
}

// wants reports whether a game of a pair has not come.
func (q *pairs) wants(p *Pair, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open[p.Place] == p && p.missing[id]
}

// came reports whether a game of a pair had not come yet. It has now, and is to be stored.
func (q *pairs) came(p *Pair, id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[p.Place] != p || !p.missing[id] {
		return false
	}
	delete(p.missing, id)
	q.coming[id] = true
	return true
}

// count notes that the run has counted a game that has come.
func (q *pairs) count(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.coming, id)
}

// arriving reports whether a game has come that the run has not counted.
func (q *pairs) arriving(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.coming[id]
}

// end notes that a pair was played to its end.
func (q *pairs) end(p *Pair) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[p.Place] == p {
		delete(q.open, p.Place)
	}
}

// void takes a pair back in which a game stalled, and reports whether it was wanted.
func (q *pairs) void(p *Pair) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[p.Place] != p || len(p.missing) == 0 {
		return false
	}
	delete(q.open, p.Place)
	q.voiding++
	return true
}

// voided notes that the run knows of a void pair.
func (q *pairs) voided() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.voiding--
}

// replace returns those games that have to be offered at a place: none if the pair that is
// there has them, and else it takes that back.
func (q *pairs) replace(place int, jobs []arena.Job) (due []arena.Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	due = slices.DeleteFunc(jobs, func(j arena.Job) bool { return q.coming[j.ID] })
	p := q.open[place]
	if p == nil {
		return due
	}
	if !slices.ContainsFunc(due, func(j arena.Job) bool { return !p.missing[j.ID] }) {
		return nil
	}
	delete(q.open, place)
	q.waiting = slices.DeleteFunc(q.waiting, func(other *Pair) bool { return other == p })
	return due
}
