package store

import (
	"context"
	"fmt"
	"time"

	"thera/arena"
)

// put is a game in the queue, packed by its sender.
type put struct {
	run  int64
	rec  *arena.Record
	body *body
	sum  uint32 // of body
	came time.Time
	done chan error
}

// Put stores a finished game of run and returns when it is on disk. It leaves an
// existing game with the same identity unchanged. ctx can only cancel Put before
// the game is queued; afterwards Put waits for the commit.
func (s *Store) Put(ctx context.Context, run int64, rec *arena.Record) error {
	p, err := pack(run, rec)
	if err != nil {
		return err
	}
	if s.readOnly {
		return s.fault(errReadOnly)
	}
	// Check this first: a closed Store may still have room in its queue.
	select {
	case <-s.closed:
		return s.fault(errClosed)
	default:
	}
	select {
	case s.puts <- p:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.fault(errClosed)
	}
	select {
	case err := <-p.done:
		return err
	case <-s.done:
	}
	select { // the writer may have stored the game before it ended
	case err := <-p.done:
		return err
	default:
		return s.fault(errClosed)
	}
}

func pack(run int64, rec *arena.Record) (*put, error) {
	if rec.Leg != 0 && rec.Leg != 1 {
		return nil, fmt.Errorf("game %s: leg %d: want 0 or 1", rec.ID, rec.Leg)
	}
	rec = canonical(rec)
	b, err := bodyOf(rec)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", rec.ID, err)
	}
	return &put{run: run, rec: rec, body: b, sum: b.sum(), came: time.Now(), done: make(chan error, 1)}, nil
}

// putAll writes games and updates the counts of their runs.
func (w *writer) putAll(ctx context.Context, games []*put) error {
	if err := w.refresh(ctx); err != nil {
		return err
	}
	for _, p := range games {
		if err := w.put(ctx, p); err != nil {
			return fmt.Errorf("game %s: %w", p.rec.ID, err)
		}
	}
	return w.count(ctx)
}

func (w *writer) put(ctx context.Context, p *put) error {
	run, err := w.run(ctx, p.run)
	if err != nil {
		return err
	}
	var engines [2]int64
	for i, name := range p.rec.Pairing {
		var ok bool
		if engines[i], ok = run.engines[name]; !ok {
			return fmt.Errorf("engine %s is not of run %d", name, p.run)
		}
	}
	r, err := w.stmts.game.ExecContext(ctx, p.run, p.rec.ID, p.rec.Void, packFigures(p.rec, engines, p.run, p.sum))
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err // the game exists
	}
	id, err := r.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := w.stmts.record.ExecContext(ctx, append([]any{id}, p.body.values()...)...); err != nil {
		return err
	}
	run.added[b2i(p.rec.Void > 0)]++
	return nil
}

// runState is what the writer remembers of a run between commits.
type runState struct {
	engines map[string]int64
	added   [2]int // games and void games that the run's row does not count yet
}

// refresh forgets the runs if another connection has changed the database.
func (w *writer) refresh(ctx context.Context) error {
	var version int64
	if err := w.stmts.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return err
	}
	if w.runs == nil || version != w.version {
		w.runs, w.version = map[int64]*runState{}, version
	}
	return nil
}

// forget forgets the runs.
func (w *writer) forget() { w.runs = nil }

func (w *writer) run(ctx context.Context, id int64) (*runState, error) {
	if r, ok := w.runs[id]; ok {
		return r, nil
	}
	run, err := readRun(ctx, w.conn, id)
	if err != nil {
		return nil, err
	}
	r := &runState{engines: map[string]int64{}}
	for _, e := range run.engines {
		r.engines[e.name] = e.id
	}
	w.runs[id] = r
	return r, nil
}

// count adds the new games to the counts of their runs.
func (w *writer) count(ctx context.Context) error {
	now := time.Now().UnixMilli()
	for id, r := range w.runs {
		if r.added == [2]int{} {
			continue
		}
		c := counts{}
		if err := w.stmts.counts.QueryRowContext(ctx, id).Scan(&c.head, &c.changed, &c.games, &c.stalled, &c.sum); err != nil {
			return err
		}
		if c.of() != c.sum {
			return fmt.Errorf("%w: run %d: %w", ErrDamaged, id, errChecksum)
		}
		c.changed, c.games, c.stalled = now, c.games+r.added[0], c.stalled+r.added[1]
		if _, err := w.stmts.count.ExecContext(ctx, c.changed, c.games, c.stalled, c.of(), id); err != nil {
			return err
		}
		r.added = [2]int{}
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
