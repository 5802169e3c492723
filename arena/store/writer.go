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

// task is a change other than a game. It has its own transaction.
type task struct {
	change func(context.Context, *writer) error
	done   chan error
}

// do runs change in a transaction of the writer and waits for its end.
func (s *Store) do(ctx context.Context, change func(context.Context, *writer) error) error {
	t := task{change: change, done: make(chan error, 1)}
	return send(ctx, s, s.tasks, t, t.done)
}

// send passes what is to be written to the writer, and waits for its end. ctx can only cancel
// it before.
func send[T any](ctx context.Context, s *Store, to chan T, what T, done chan error) error {
	if s.readOnly {
		return s.fault(errReadOnly)
	}
	select { // first: a closed Store may still have room in its queue
	case <-s.closed:
		return s.fault(errClosed)
	default:
	}
	select {
	case to <- what:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.fault(errClosed)
	}
	select {
	case err := <-done:
		return err
	case <-s.done:
	}
	select { // the writer may have stored it before it ended
	case err := <-done:
		return err
	default:
		return s.fault(errClosed)
	}
}

// writer is the one goroutine that changes the database.
type writer struct {
	store *Store
	conn  *sql.Conn
	runs  map[int64]*run // of this transaction
	heads map[int64]*run // as they were read last
	last  time.Time      // when the last game came
	idle  bool           // the last commit waited and no game came

	rows, records *sql.Stmt // store a game
}

func newWriter(ctx context.Context, s *Store, conn *sql.Conn) (w *writer, err error) {
	w = &writer{store: s, conn: conn, heads: map[int64]*run{}}
	if w.rows, err = conn.PrepareContext(ctx, insertRow()); err != nil {
		return nil, err
	}
	w.records, err = conn.PrepareContext(ctx, "INSERT INTO records (game, json) VALUES (?, ?)")
	return w, err
}

// work writes until the Store is closed, and then the games that wait.
func (w *writer) work() {
	s := w.store
	defer close(s.done)
	defer func() { // an open statement would keep the log from being merged
		_, _, _ = w.rows.Close(), w.records.Close(), w.conn.Close()
	}()
	for {
		select {
		case p := <-s.puts:
			w.batch(p)
		case t := <-s.tasks:
			t.done <- w.transaction(t.change)
		case <-s.closed:
			for len(s.puts) > 0 {
				w.batch(<-s.puts)
			}
			return
		}
	}
}

// batch stores first and the games that follow it in one commit. A commit costs
// as much as several games, so batch waits for further games while they arrive
// fast, for at most maxWindow. In a slow run it commits immediately, and where the
// last wait brought no game, because a caller waits for each commit.
func (w *writer) batch(first *put) {
	games, begin := []*put{first}, time.Now()
	pause := max(3*begin.Sub(w.last), minPause)
	w.last = begin
	if w.idle || pause > maxWindow {
		pause = 0
	}
	over := time.NewTimer(pause)
	defer over.Stop()
	for more := true; more && len(games) < batchGames; {
		select {
		case p := <-w.store.puts:
			games, w.last = append(games, p), time.Now()
			over.Reset(pause)
			more = time.Since(begin) < maxWindow
		case <-over.C:
			more = len(w.store.puts) > 0 && pause == 0 // without a wait, what is there
		case <-w.store.closed:
			more = len(w.store.puts) > 0
		}
	}
	w.idle = pause > 0 && len(games) == 1
	err := w.transaction(func(ctx context.Context, w *writer) error { return w.putAll(ctx, games) })
	for _, p := range games {
		p.done <- err
	}
}

// transaction commits change completely or not at all. A commit to a file that
// was deleted or replaced is also an error.
func (w *writer) transaction(change func(context.Context, *writer) error) error {
	// A cancelled run must not interrupt a commit, so its context has no
	// cancellation.
	ctx := context.Background()
	w.runs = map[int64]*run{}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return w.store.fault(err)
	}
	err := change(ctx, w)
	if err == nil {
		if _, err = w.conn.ExecContext(ctx, "COMMIT"); err == nil {
			w.store.wrote = true
			return w.store.fault(w.store.file.same(w.store.path, logOf(w.store.path)))
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

// run returns a run as it is now after a check. Mostly its head is the one that was read before.
func (w *writer) run(ctx context.Context, id int64) (*run, error) {
	if r := w.runs[id]; r != nil {
		return r, nil
	}
	r, err := readAgain(ctx, w.conn, id, w.heads[id])
	if err == nil {
		w.runs[id], w.heads[id] = r, r
	}
	return r, err
}
