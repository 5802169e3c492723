package arenatest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"thera/arena"
)

// Store is an arena.Store in memory.
type Store struct {
	mu      sync.Mutex
	games   map[string]*arena.Game // that count
	list    []*arena.Game          // in the order in which they were stored
	void    []*arena.Game          // void or excluded, in that order
	events  []arena.Incident
	State   string
	Remarks []string

	// Fail, if set, is asked before each Put, with nil before each Note.
	Fail func(rec *arena.Game) error
}

// NewStore is an empty one.
func NewStore() *Store { return &Store{games: map[string]*arena.Game{}} }

// lock locks the store until the function that it returns is called.
func (k *Store) lock() (unlock func()) {
	k.mu.Lock()
	return k.mu.Unlock
}

func (k *Store) fails(rec *arena.Game) error {
	if k.Fail == nil {
		return nil
	}
	return k.Fail(rec)
}

// exclude keeps a game that does not count.
func (k *Store) exclude(rec *arena.Game, status arena.Status, attempt int) {
	void := *rec
	void.Status, void.Attempt = status, attempt
	k.void = append(k.void, &void)
	delete(k.games, rec.ID)
	k.list = slices.DeleteFunc(k.list, func(other *arena.Game) bool { return other == rec })
}

// Begin implements arena.Store.
func (k *Store) Begin(ctx context.Context, _ *arena.Plan) (int64, arena.Past, error) {
	games, err := k.Finished(ctx, 1)
	defer k.lock()()
	k.State = "running"
	return 1, arena.Past{Games: games}, err
}

// Put implements arena.Store.
func (k *Store) Put(ctx context.Context, run int64, rec *arena.Game) error {
	defer k.lock()()
	if err := ctx.Err(); err != nil {
		return err
	}
	if run != 1 {
		return fmt.Errorf("no run %d", run)
	}
	err := k.fails(rec)
	if err == nil && k.games[rec.ID] == nil {
		k.games[rec.ID] = rec
		k.list = append(k.list, rec)
	}
	return err
}

// Void implements arena.Store.
func (k *Store) Void(_ context.Context, _ int64, stalled *arena.Game, pair []string) error {
	defer k.lock()()
	if err := k.fails(stalled); err != nil {
		return err
	}
	attempt := 1
	for _, rec := range k.void {
		if rec.Status == arena.StatusVoid && slices.Contains(pair, rec.ID) {
			attempt = max(attempt, rec.Attempt+1)
		}
	}
	k.exclude(stalled, arena.StatusVoid, attempt)
	for _, id := range pair {
		if rec := k.games[id]; rec != nil {
			k.exclude(rec, arena.StatusVoid, attempt)
		}
	}
	return nil
}

// Note implements arena.Store.
func (k *Store) Note(_ context.Context, _ int64, state, remark string) error {
	defer k.lock()()
	if err := k.fails(nil); err != nil {
		return err
	}
	k.State = state
	if remark != "" && !slices.Contains(k.Remarks, remark) {
		k.Remarks = append(k.Remarks, remark)
	}
	return nil
}

// Exclude implements arena.Store.
func (k *Store) Exclude(_ context.Context, _ int64, worker string, only []string, reason string) (n int, err error) {
	defer k.lock()()
	for _, rec := range slices.Clone(k.list) {
		if rec.By != nil && rec.By.Worker == worker && (only == nil || slices.Contains(only, rec.ID)) {
			k.exclude(rec, arena.StatusExcluded, 1)
			n++
		}
	}
	if n > 0 {
		k.Remarks = append(k.Remarks, fmt.Sprintf("%d games of worker %s: %s", n, worker, reason))
	}
	return n, nil
}

// Finished implements arena.Store.
func (k *Store) Finished(context.Context, int64) (done []arena.Game, err error) {
	defer k.lock()()
	for _, rec := range slices.Concat(k.list, k.void) {
		done = append(done, rec.Bare())
	}
	return done, nil
}

// Stored returns a game that counts, nil if there is none.
func (k *Store) Stored(_ context.Context, _ int64, id string) (*arena.Game, error) {
	defer k.lock()()
	return k.games[id], nil
}

// Incident keeps what happened with a worker, and about an audit nothing twice in succession.
func (k *Store) Incident(_ context.Context, _ int64, i arena.Incident) error {
	defer k.lock()()
	for _, other := range slices.Backward(k.events) {
		if other.Worker == i.Worker && other.Game == i.Game && strings.HasPrefix(string(other.Kind), "audit ") {
			if other.Kind == i.Kind {
				return nil
			}
			break
		}
	}
	k.events = append(k.events, i)
	return nil
}

// Incidents are those that were kept.
func (k *Store) Incidents(context.Context, int64) ([]arena.Incident, error) {
	defer k.lock()()
	return slices.Clone(k.events), nil
}

// Games are all that count, sorted by identity, each as one line.
func (k *Store) Games() []string {
	var lines []string
	for _, g := range k.Records() {
		lines = append(lines, fmt.Sprintf("%s %v leg %d pair %d from %s: %v, %d", g.ID, g.Pairing, g.Leg, g.Pair, g.Start, g.Moves, g.Winner()))
	}
	slices.Sort(lines)
	return lines
}

// Records are all games that count, in the order in which they were stored.
func (k *Store) Records() []*arena.Game {
	defer k.lock()()
	return slices.Clone(k.list)
}

// Voided returns the games that are void or excluded, in the order in which they became so.
func (k *Store) Voided() []*arena.Game {
	defer k.lock()()
	return slices.Clone(k.void)
}

// Abandon implements arena.Store.
func (k *Store) Abandon(context.Context, int64) error {
	defer k.lock()()
	if len(k.list) == 0 {
		k.State = ""
	}
	return nil
}
