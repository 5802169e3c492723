package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

const (
	queueLength = 1024                   // if so many games wait, Put blocks
	batchGames  = 2048                   // the most games of one commit
	maxWindow   = 20 * time.Millisecond  // how long a commit waits for more games
	minPause    = 200 * time.Microsecond // the shortest pause that ends the wait
)

// task is a change other than a game. It has its own transaction or none.
type task struct {
	change func(context.Context, *writer) error
	bare   bool // without a transaction
	done   chan error
}

// do runs change in a transaction on the writer's connection.
func (s *Store) do(ctx context.Context, change func(context.Context, *sql.Conn) error) error {
	return s.await(ctx, task{change: func(ctx context.Context, w *writer) error { return change(ctx, w.conn) }})
}

// await passes t to the writer and waits for its end.
func (s *Store) await(ctx context.Context, t task) error {
	if s.readOnly {
		return s.fault(errReadOnly)
	}
	t.done = make(chan error, 1)
	select {
	case s.tasks <- t:
		return <-t.done
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.fault(errClosed)
	}
}

// writer is the one goroutine that changes the database.
func (s *Store) writer() {
	defer close(s.done)
	w := &writer{store: s}
	defer w.close()
	for {
		select {
		case p := <-s.puts:
			w.batch(p)
		case t := <-s.tasks:
			w.forget()
			err := w.task(t)
			w.forget()
			t.done <- err
		case <-s.closed:
			for {
				select {
				case p := <-s.puts:
					w.batch(p)
				default:
					return
				}
			}
		}
	}
}

type writer struct {
	store   *Store
	conn    *sql.Conn
	version int64 // of the data: commits of other connections change it
	runs    map[int64]*rawRun
	changed map[int64]bool // runs whose numbers of games are not stored yet
	batched []*put
	lastPut time.Time // when the last game came
	idle    bool      // the last commit waited and no game came

	dataVersion, games, records *sql.Stmt // PRAGMA data_version, and what stores a game
}

// batch stores first and the games that follow it in one commit. A commit costs
// as much as several games, so batch waits for further games while they arrive
// fast, for at most maxWindow. In a slow run it commits immediately.
func (w *writer) batch(first *put) {
	w.batched = w.batched[:0]
	pause := w.take(first)
	begin := time.Now()
	over := time.NewTimer(pause)
	defer over.Stop()
gather:
	for len(w.batched) < batchGames {
		select {
		case p := <-w.store.puts:
			w.take(p)
			continue
		default:
		}
		if pause == 0 || time.Since(begin) > maxWindow {
			break
		}
		over.Reset(pause)
		select {
		case p := <-w.store.puts:
			w.take(p)
		case <-over.C:
			break gather
		case <-w.store.closed:
			break gather
		}
	}
	w.idle = pause > 0 && len(w.batched) == 1
	err := w.transaction(func(ctx context.Context, w *writer) error { return w.putAll(ctx, w.batched) })
	if err != nil {
		w.forget()
	}
	for _, p := range w.batched {
		p.done <- err
	}
	clear(w.batched)
}

// take adds a game to the batch and returns how long to wait for the next one,
// which is three times the time since the last one. It returns 0 if that is
// longer than the window, or if the last wait brought no game because a caller that
// puts one game at a time waits for the commit.
func (w *writer) take(p *put) (pause time.Duration) {
	w.batched = append(w.batched, p)
	gap := p.came.Sub(w.lastPut)
	w.lastPut = p.came
	if pause = max(3*gap, minPause); w.idle || pause > maxWindow {
		return 0
	}
	return pause
}

func (w *writer) task(t task) error {
	if !t.bare {
		return w.transaction(t.change)
	}
	ctx := context.Background()
	err := w.open(ctx)
	if err == nil {
		err = t.change(ctx, w)
	}
	if err != nil {
		return w.store.fault(err)
	}
	return nil
}

// transaction commits change completely or not at all. A commit to a file that
// was deleted or replaced is also an error.
func (w *writer) transaction(change func(context.Context, *writer) error) error {
	// A cancelled run must not interrupt a commit, so its context has no
	// cancellation.
	ctx := context.Background()
	if err := w.open(ctx); err != nil {
		return w.store.fault(err)
	}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return w.store.fault(err)
	}
	err := change(ctx, w)
	if err == nil {
		if _, err = w.conn.ExecContext(ctx, "COMMIT"); err == nil {
			w.store.wrote = true
			return w.store.fault(w.store.file.same(w.store.path))
		}
	}
	// After some errors, such as a full disk, SQLite has already rolled back and
	// this returns an error.
	_, _ = w.conn.ExecContext(ctx, "ROLLBACK")
	var changed *ChangedError
	if errors.As(err, &changed) {
		return err
	}
	return w.store.fault(err)
}

func (w *writer) open(ctx context.Context) (err error) {
	if w.conn != nil {
		return nil
	}
	conn, err := w.store.write.Conn(ctx)
	if err != nil {
		return err
	}
	for _, s := range []struct {
		into **sql.Stmt
		text string
	}{{&w.dataVersion, "PRAGMA data_version"}, {&w.games, insertGame()}, {&w.records, insertRecord}} {
		if *s.into, err = conn.PrepareContext(ctx, s.text); err != nil {
			return errors.Join(err, conn.Close())
		}
	}
	w.conn = conn
	return nil
}

func (w *writer) close() {
	if w.conn != nil {
		for _, s := range []*sql.Stmt{w.dataVersion, w.games, w.records} {
			s.Close()
		}
		w.conn.Close()
	}
}
