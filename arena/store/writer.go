package store

import (
	"context"
	"database/sql"
	"time"
)

const (
	queueLength = 1024                  // if so many games wait, Put blocks
	batchGames  = 2048                  // the most games of one commit
	maxWindow   = 20 * time.Millisecond // how long a commit waits for more games
	maxGap      = 4 * time.Millisecond  // and for the next one
)

// task is a game to be stored, or another change, which has a transaction.
type task struct {
	game   *put
	change func(context.Context, *writer) error
	done   chan error
}

// do runs change in a transaction of the writer and waits for its end.
func (s *Store) do(ctx context.Context, change func(context.Context, *writer) error) error {
	return s.send(ctx, &task{change: change})
}

// send passes a task to the writer, and waits for its end. ctx can only cancel it before.
func (s *Store) send(ctx context.Context, t *task) error {
	t.done = make(chan error, 1)
	if err := s.queue(ctx, t); err != nil {
		return err
	}
	return <-t.done
}

func (s *Store) queue(ctx context.Context, t *task) error {
	s.sending.RLock()
	defer s.sending.RUnlock()
	switch {
	case s.ended:
		return s.fault(errClosed)
	case s.write == nil:
		return s.fault(errReadOnly)
	}
	select {
	case s.tasks <- t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer is the one goroutine that changes the database.
type writer struct {
	*Store
	conn  *sql.Conn
	last  time.Time // when the last games were taken
	alone bool      // the last wait brought no game

	rows, records *sql.Stmt // store a game
}

// work writes until the Store is closed and no task waits.
func (w *writer) work() {
	defer close(w.done)
	defer func() { // an open statement would keep the log from being merged
		_, _, _ = w.rows.Close(), w.records.Close(), w.conn.Close()
	}()
	for t := range w.tasks {
		for t != nil {
			if t.game != nil {
				t = w.batch(t)
				continue
			}
			t.done <- w.transaction(t.change)
			t = nil
		}
	}
}

// batch stores the game first and those that follow it in one commit, which costs as much as
// several games. While games come fast it waits for others, at most maxWindow for all and maxGap
// for each; in a slow run it commits immediately, and where the last wait brought no game, because a caller waits for each commit.
// It returns the other task that came.
func (w *writer) batch(first *task) (other *task) {
	games, wait, began := []*task{first}, maxWindow, time.Now()
	if w.alone || time.Since(w.last) > maxWindow {
		wait = 0
	}
	for more := true; more && len(games) < batchGames; {
		select {
		case other = <-w.tasks:
			if more = other != nil && other.game != nil; more { // nil: the Store is closed
				games, other = append(games, other), nil
			}
		case <-time.After(min(maxGap, wait-time.Since(began))):
			more = false
		}
	}
	w.alone, w.last = wait > 0 && len(games) == 1, time.Now()
	err := w.transaction(func(ctx context.Context, w *writer) error { return w.putAll(ctx, games) })
	for _, t := range games {
		t.done <- err
	}
	return other
}

// transaction commits change completely or not at all. A commit to a file that
// was deleted or replaced is also an error.
func (w *writer) transaction(change func(context.Context, *writer) error) error {
	// A cancelled run must not interrupt a commit, so its context has no cancellation.
	err := w.commit(context.Background(), change)
	if err == nil {
		w.wrote = true
		err = w.same(logOf(w.path))
	}
	return w.fault(err)
}

func (w *writer) commit(ctx context.Context, change func(context.Context, *writer) error) error {
	_, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return err
	}
	if err = change(ctx, w); err == nil {
		_, err = w.conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// After some errors, such as a full disk, SQLite has already rolled back and
		// this returns an error.
		_, _ = w.conn.ExecContext(ctx, "ROLLBACK")
	}
	return err
}
