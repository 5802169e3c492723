package arenatest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"thera/arena"
)

// Store is an arena.Store in memory.
type Store struct {
	mu      sync.Mutex
	games   map[string]*arena.Game
	order   []string
	void    []*arena.Game
	events  []arena.Incident
	State   string
	Remarks []string

	// Fail, if set, is asked before each Put, with nil before each Note.
	Fail func(rec *arena.Game) error
}

// NewStore is an empty one.
func NewStore() *Store { return &Store{games: map[string]*arena.Game{}} }

// Begin implements arena.Store.
func (k *Store) Begin(context.Context, *arena.Plan) (int64, arena.Past, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.State = "running"
	return 1, arena.Past{Games: k.finished()}, nil
}

// Put implements arena.Store.
func (k *Store) Put(ctx context.Context, run int64, rec *arena.Game) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if run != 1 {
		return fmt.Errorf("no run %d", run)
	}
	if k.Fail != nil {
		if err := k.Fail(rec); err != nil {
			return err
		}
	}
	if k.games[rec.ID] == nil {
		k.games[rec.ID] = rec
		k.order = append(k.order, rec.ID)
	}
	return nil
}

// Void implements arena.Store.
func (k *Store) Void(_ context.Context, _ int64, stalled *arena.Game, pair []string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Fail != nil {
		if err := k.Fail(stalled); err != nil {
			return err
		}
	}
	attempt := 1
	for _, rec := range k.void {
		if rec.Status == arena.StatusVoid && slices.Contains(pair, rec.ID) {
			attempt = max(attempt, rec.Attempt+1)
		}
	}
	aside := []*arena.Game{stalled}
	for _, id := range pair {
		if rec := k.games[id]; rec != nil {
			aside = append(aside, rec)
			delete(k.games, id)
			k.order = slices.DeleteFunc(k.order, func(other string) bool { return other == id })
		}
	}
	for _, rec := range aside {
		void := *rec
		void.Status, void.Attempt = arena.StatusVoid, attempt
		k.void = append(k.void, &void)
	}
	return nil
}

// Note implements arena.Store.
func (k *Store) Note(_ context.Context, _ int64, state, remark string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Fail != nil {
		if err := k.Fail(nil); err != nil {
			return err
		}
	}
	k.State = state
	if remark != "" && !slices.Contains(k.Remarks, remark) {
		k.Remarks = append(k.Remarks, remark)
	}
	return nil
}

// SetWorkerAside implements arena.Store.
func (k *Store) SetWorkerAside(_ context.Context, _ int64, worker string, only []string, reason string) (n int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range slices.Clone(k.order) {
		rec := k.games[id]
		if rec.By == nil || rec.By.Worker != worker || only != nil && !slices.Contains(only, id) {
			continue
		}
		void := *rec
		void.Status, void.Attempt = arena.StatusExcluded, 1
		k.void = append(k.void, &void)
		delete(k.games, id)
		k.order = slices.DeleteFunc(k.order, func(other string) bool { return other == id })
		n++
	}
	if n == 0 {
		return 0, arena.ErrNoGames
	}
	k.Remarks = append(k.Remarks, fmt.Sprintf("%d games of worker %s: %s", n, worker, reason))
	return n, nil
}

// Finished implements arena.Store.
func (k *Store) Finished(context.Context, int64) ([]arena.Game, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.finished(), nil
}

func (k *Store) finished() (done []arena.Game) {
	for _, id := range k.order {
		done = append(done, k.games[id].Bare())
	}
	for _, rec := range k.void {
		done = append(done, rec.Bare())
	}
	return done
}

// Stored returns a game that counts, nil if there is none.
func (k *Store) Stored(_ context.Context, _ int64, id string) (*arena.Game, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.games[id], nil
}

// Incident keeps what happened with a worker.
func (k *Store) Incident(_ context.Context, _ int64, i arena.Incident) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.events = append(k.events, i)
	return nil
}

// Incidents are those that were kept.
func (k *Store) Incidents(context.Context, int64) ([]arena.Incident, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.events), nil
}

// Games are all that were kept, sorted by identity, each as one line.
func (k *Store) Games() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var lines []string
	for _, g := range k.games {
		lines = append(lines, fmt.Sprintf("%s %v leg %d pair %d from %s: %v, %d", g.ID, g.Pairing, g.Leg, g.Pair, g.Start, g.Moves, g.Winner()))
	}
	slices.Sort(lines)
	return lines
}

// Records are all games in the order in which they were stored.
func (k *Store) Records() []*arena.Game {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []*arena.Game
	for _, id := range k.order {
		out = append(out, k.games[id])
	}
	return out
}

// Voided are the games that were set aside, in the order in which they were.
func (k *Store) Voided() []*arena.Game {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.void)
}

// Abandon implements arena.Store.
func (k *Store) Abandon(context.Context, int64) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.order) == 0 {
		k.State = ""
	}
	return nil
}
