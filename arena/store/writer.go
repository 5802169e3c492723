package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

const (
	queueLength = 1024                   // games that wait; beyond it Put waits
	batchGames  = 2048                   // games of one commit at most
	maxWindow   = 20 * time.Millisecond  // that a commit waits for more games
	minPause    = 200 * time.Microsecond // without games, that ends the wait
)

// task is a change that is not a game: it has a transaction of its own, or
// must be in none.
type task struct {
	change func(context.Context, *writer) error
	bare   bool // without a transaction
	done   chan error
}

// do runs change in a transaction on the writer's connection.
func (s *Store) do(ctx context.Context, change func(context.Context, *sql.Conn) error) error {
	return s.await(ctx, task{change: func(ctx context.Context, w *writer) error { return change(ctx, w.conn) }})
}

// await has the writer do t, and waits for it.
func (s *Store) await(ctx context.Context, t task) error {
	if s.readOnly {
		return s.fault(ErrReadOnly)
	}
	t.done = make(chan error, 1)
	select {
	case s.tasks <- t:
		return <-t.done
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.fault(ErrClosed)
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
	stmts   *statements
	version int64 // of the data: another program's commit changes it
	runs    map[int64]*runState
	games   []*put
	lastPut time.Time // when the last game came
	idle    bool      // the last commit waited and no game came
}

// batch stores first and the games that come with it in one commit. A commit
// costs as much as several games, so it waits for further games while they come
// fast, at most maxWindow. A slow run commits immediately.
func (w *writer) batch(first *put) {
	w.games = w.games[:0]
	pause := w.take(first)
	begin := time.Now()
	over := time.NewTimer(pause)
	defer over.Stop()
gather:
	for len(w.games) < batchGames {
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
	w.idle = pause > 0 && len(w.games) == 1
	err := w.transaction(func(ctx context.Context, w *writer) error { return w.putAll(ctx, w.games) })
	if err != nil {
		w.forget()
	}
	for _, p := range w.games {
		p.done <- err
	}
	clear(w.games)
}

// take adds a game to the batch and returns how long to wait for the next one:
// three times as long as this one was, not at all where that is
// beyond the window or where the last wait brought nothing (a caller that puts one
// game after another waits for the commit).
func (w *writer) take(p *put) (pause time.Duration) {
	w.games = append(w.games, p)
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

// transaction does change and commits it, all of it or nothing. What is
// committed to a file that is no longer the database is also an error.
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
	// SQLite has rolled back by itself after some errors (a full disk): then
	// this one says that there is nothing to roll back.
	_, _ = w.conn.ExecContext(ctx, "ROLLBACK")
	var changed *Changed
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
	if w.stmts, err = prepare(ctx, conn); err != nil {
		return errors.Join(err, conn.Close())
	}
	w.conn = conn
	return nil
}

func (w *writer) close() {
	if w.conn != nil {
		w.stmts.close()
		w.conn.Close()
	}
}
