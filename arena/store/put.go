package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// put is a game in the queue, packed by its sender.
type put struct {
	row  row
	json []byte
	came time.Time
	done chan error
}

// Put stores a finished game of run and returns when it is on disk. It leaves an
// existing game with the same identity unchanged. ctx can only cancel Put before
// the game is queued; afterwards Put waits for the commit.
func (s *Store) Put(ctx context.Context, run int64, rec *arena.Game) error {
	p, err := s.put(run, rec)
	if err != nil {
		return err
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

func (s *Store) put(run int64, rec *arena.Game) (*put, error) {
	if s.readOnly {
		return nil, s.fault(errReadOnly)
	}
	if rec.Leg != 0 && rec.Leg != 1 {
		return nil, fmt.Errorf("game %s: leg %d: want 0 or 1", rec.ID, rec.Leg)
	}
	p := &put{row: row{run: run, game: rec.Bare()}, came: time.Now(), done: make(chan error, 1)}
	var err error
	if p.json, err = pack(rec); err != nil {
		return nil, fmt.Errorf("game %s: %w", rec.ID, err)
	}
	return p, nil
}

// putAll writes games and updates the counts of their runs.
func (w *writer) putAll(ctx context.Context, games []*put) error {
	if err := w.refresh(ctx); err != nil {
		return err
	}
	for _, p := range games {
		if err := w.put(ctx, p); err != nil {
			return fmt.Errorf("game %s: %w", p.row.game.ID, err)
		}
	}
	return w.count(ctx)
}

func (w *writer) put(ctx context.Context, p *put) error {
	run, err := w.run(ctx, p.row.run)
	if err != nil {
		return err
	}
	for i, name := range p.row.game.Pairing {
		at := slices.IndexFunc(run.engines, func(e rawEngine) bool { return e.name == name })
		if at < 0 {
			return fmt.Errorf("engine %s is not of run %d", name, run.id)
		}
		p.row.engines[i] = run.engines[at].id
	}
	r, err := w.games.ExecContext(ctx, p.row.values()...)
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
	if _, err := w.records.ExecContext(ctx, id, p.json); err != nil {
		return err
	}
	w.changed[run.id] = true
	if p.row.game.Status.Counts() {
		run.games++
	} else {
		run.aside++
	}
	return nil
}

// insertGame and insertRecord store a game.
func insertGame() string {
	columns := rowColumns()[1:]
	return "INSERT INTO games (" + strings.Join(columns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) +
		") ON CONFLICT (run, identity, status, attempt) DO NOTHING"
}

const insertRecord = "INSERT INTO records (game, json) VALUES (?, ?)"

// refresh forgets the runs if another connection has changed the database.
func (w *writer) refresh(ctx context.Context) error {
	var version int64
	if err := w.dataVersion.QueryRowContext(ctx).Scan(&version); err != nil {
		return err
	}
	if version != w.version {
		w.forget()
		w.version = version
	}
	return nil
}

// forget forgets the runs.
func (w *writer) forget() { w.runs, w.changed = map[int64]*rawRun{}, map[int64]bool{} }

// run returns a run, which was checked when it was read.
func (w *writer) run(ctx context.Context, id int64) (*rawRun, error) {
	if r, ok := w.runs[id]; ok {
		return r, nil
	}
	run, err := readRun(ctx, w.conn, id)
	if err == nil {
		w.runs[id] = run
	}
	return run, err
}

// count stores the new numbers of games of runs.
func (w *writer) count(ctx context.Context) error {
	now := time.Now().UnixMilli()
	for id := range w.changed {
		run := w.runs[id]
		run.changed = now
		if err := run.write(ctx, w.conn); err != nil {
			return err
		}
	}
	clear(w.changed)
	return nil
}
