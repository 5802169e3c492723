package runner

import (
	"slices"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/queue"
)

// ledger knows the leases that were offered and whose games have not all come. A
// queue may deliver a lease twice, and a worker may hand in games twice: the first
// to claim a job stores its game.
type ledger struct {
	mu   sync.Mutex
	open map[int]*offered    // by place
	jobs map[string]*offered // by identity, those whose games have not come
}

// offered is a lease that was offered.
type offered struct {
	lease  queue.Lease // of the last attempt
	at     time.Time   // of the last attempt
	left   int         // games that have not come
	came   int         // games that have
	played bool        // a taker has played it to its end
}

func newLedger() *ledger {
	return &ledger{open: map[int]*offered{}, jobs: map[string]*offered{}}
}

// offer enters a lease.
func (l *ledger) offer(lease queue.Lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := &offered{lease: lease, at: time.Now(), left: len(lease.Jobs)}
	l.open[lease.Place] = o
	for _, job := range lease.Jobs {
		l.jobs[job.ID] = o
	}
}

// wanted returns a job whose game has not come.
func (l *ledger) wanted(id string) (job arena.Job, place int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.jobs[id]
	if o == nil {
		return arena.Job{}, 0, false
	}
	at := slices.IndexFunc(o.lease.Jobs, func(j arena.Job) bool { return j.ID == id })
	return o.lease.Jobs[at], o.lease.Place, true
}

// claim reports whether the game of a job had not come yet. It has now.
func (l *ledger) claim(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.jobs[id]
	if o == nil {
		return false
	}
	delete(l.jobs, id)
	o.left--
	o.came++
	l.settle(o)
	return true
}

// play reports whether a taker is the first that played the lease to its end.
func (l *ledger) play(place int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.open[place]
	if o == nil || o.played {
		return false
	}
	o.played = true
	l.settle(o)
	return true
}

// settle forgets a lease of which nothing is expected any more. The lock is held.
func (l *ledger) settle(o *offered) {
	if o.left == 0 && o.played {
		delete(l.open, o.lease.Place)
	}
}

// pair are the identities of all games of the pair of a lease.
func (l *ledger) pair(place int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if o := l.open[place]; o != nil {
		return o.lease.Pair
	}
	return nil
}

// void takes a lease back, of which the caller handed in so many games. It refuses if
// others have come: then the pair has been played elsewhere. It returns how many games
// had not come, and the number of the pair's next attempt.
func (l *ledger) void(place, handed int) (left, attempt int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.open[place]
	if o == nil || o.came != handed || o.left == 0 {
		return 0, 0, false
	}
	for _, job := range o.lease.Jobs {
		delete(l.jobs, job.ID)
	}
	delete(l.open, place)
	return o.left, o.lease.Attempt + 1, true
}

// missing enters another attempt for each lease that was offered before a time, has
// games that have not come and is not held by the queue, and returns them by place.
func (l *ledger) missing(held map[int]bool, before time.Time) []queue.Lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []queue.Lease
	for place, o := range l.open {
		if o.left == 0 || held[place] || o.at.After(before) {
			continue
		}
		o.lease.Jobs = slices.DeleteFunc(slices.Clone(o.lease.Jobs), func(j arena.Job) bool { return l.jobs[j.ID] != o })
		o.lease.Attempt++
		o.at = time.Now()
		out = append(out, o.lease)
	}
	slices.SortFunc(out, func(x, y queue.Lease) int { return x.Place - y.Place })
	return out
}
