package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// put is a game in the queue, packed by its sender.
type put struct {
	*row
	json []byte
}

// insertRow stores a row, unless the game exists.
var insertRow = "INSERT INTO games (" + columns + ") VALUES (?" + strings.Repeat(", ?", strings.Count(columns, ",")) +
	") ON CONFLICT (run, identity, status, attempt) DO NOTHING"

// Put stores a finished game of run and returns when it is on disk. It leaves an
// existing game with the same identity unchanged. ctx can only cancel Put before
// the game is queued; afterwards Put waits for the commit.
func (s *Store) Put(ctx context.Context, run int64, g *arena.Game) error {
	p, err := newPut(run, g)
	if err != nil {
		return err
	}
	return s.send(ctx, &task{game: p})
}

func newPut(run int64, g *arena.Game) (*put, error) {
	if g.Leg != 0 && g.Leg != 1 {
		return nil, fmt.Errorf("game %s: leg %d: want 0 or 1", g.ID, g.Leg)
	}
	json, err := pack(g)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	bare := g.Bare()
	return &put{newRow(run, &bare), json}, nil
}

// putAll writes games and updates the counts of their runs.
func (w *writer) putAll(ctx context.Context, games []*task) error {
	runs := map[int64]*run{}
	for _, t := range games {
		p := t.game
		r, err := runs[p.run], error(nil)
		if r == nil {
			r, err = countsOf(ctx, w.conn, p.run)
			runs[p.run] = r
		}
		if err == nil {
			err = w.put(ctx, r, p)
		}
		if err != nil {
			return fmt.Errorf("game %s: %w", p.identity, err)
		}
	}
	for _, r := range runs {
		if err := r.write(ctx, w.conn); err != nil {
			return err
		}
	}
	return nil
}

// put writes a game, unless it exists, and counts it.
func (w *writer) put(ctx context.Context, r *run, p *put) error {
	done, err := w.rows.ExecContext(ctx, p.values()...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err // the game exists
	}
	id, err := done.LastInsertId()
	if err == nil {
		_, err = w.records.ExecContext(ctx, id, p.json)
	}
	if arena.Status(p.status).Counts() {
		r.Games++
	} else {
		r.aside++
	}
	return err
}

// Void stores a game that stalled. The games of its pair, given by their identities, no longer
// count. They are not deleted. If Void fails, nothing is changed.
func (s *Store) Void(ctx context.Context, run int64, stalled *arena.Game, pair []string) error {
	p, err := newPut(run, stalled)
	if err != nil {
		return err
	}
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := readRun(ctx, w.conn, run)
		if err != nil {
			return err
		}
		attempt, _, err := w.exclude(ctx, r, arena.StatusVoid, func(g *arena.Game) bool { return slices.Contains(pair, g.ID) },
			"WHERE run = ? AND identity IN (SELECT value FROM json_each(?))", run, fmt.Sprintf("[%q,%q]", pair[0], pair[len(pair)-1]))
		if err != nil {
			return err
		}
		p.status, p.attempt = string(arena.StatusVoid), int64(attempt)
		if err := w.put(ctx, r, p); err != nil {
			return err
		}
		return r.write(ctx, w.conn)
	})
}

// Exclude excludes games of a run that a worker on another machine played: those with these
// identities, or all if only is nil. The games are not deleted. They no longer count, and the
// run can play them again. The reason becomes a remark of the run. Exclude returns the number of
// games; if it is 0, nothing is changed.
func (s *Store) Exclude(ctx context.Context, run int64, worker string, only []string, reason string) (n int, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := readRun(ctx, w.conn, run)
		if err != nil {
			return err
		}
		var attempt int
		attempt, n, err = w.exclude(ctx, r, arena.StatusExcluded, func(g *arena.Game) bool {
			return g.By != nil && g.By.Worker == worker && (only == nil || slices.Contains(only, g.ID))
		}, ofRun, run)
		if err != nil || n == 0 {
			return err
		}
		r.State = "interrupted"
		r.note(arena.Remark{Time: time.Now(), Text: fmt.Sprintf("exclusion %d: %d games of worker %s: %s", attempt, n, worker, reason)})
		return r.writeAll(ctx, w.conn)
	})
	return n, err
}

// exclude gives the chosen games that count a status in which they do not count, and the number of
// the next attempt with that status.
func (w *writer) exclude(
	ctx context.Context, r *run, status arena.Status, meant func(*arena.Game) bool, where string, args ...any,
) (attempt, n int, err error) {
	var games []*row
	attempt = 1
	damage := &Damage{Run: r.Name}
	err = eachGame(ctx, w.conn, r, damage, func(found *row, g *arena.Game) bool {
		switch {
		case g.Status == status:
			attempt = max(attempt, g.Attempt+1)
		case g.Status.Counts() && meant(g):
			games = append(games, found)
		}
		return true
	}, where, args...)
	if err = cmp.Or(err, damage.err()); err != nil {
		return 0, 0, err
	}
	for _, g := range games {
		g.status, g.attempt = string(status), int64(attempt)
		if _, err := w.conn.ExecContext(ctx, "UPDATE games SET status = ?, attempt = ?, sum = ? WHERE id = ?",
			g.status, g.attempt, g.checksum(), g.id); err != nil {
			return 0, 0, err
		}
	}
	r.Games, r.aside = r.Games-len(games), r.aside+len(games)
	return attempt, len(games), nil
}

// Incident keeps what happened with a worker and returns when it is durable. About an
// audit of a worker's pair it keeps nothing twice in succession.
func (s *Store) Incident(ctx context.Context, run int64, i arena.Incident) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		once := strings.HasPrefix(string(i.Kind), "audit ")
		_, err := w.conn.ExecContext(ctx, `INSERT INTO incidents (run, time, worker, kind, game, text) SELECT ?1, ?2, ?3, ?4, ?5, ?6
			WHERE NOT ?7 OR ?4 IS NOT (SELECT kind FROM incidents
				WHERE run = ?1 AND game = ?5 AND worker = ?3 AND kind LIKE 'audit %' ORDER BY id DESC LIMIT 1)`,
			run, i.Time.UnixMilli(), i.Worker, string(i.Kind), i.Game, i.Text, once)
		return err
	})
}

const (
	queueLength = 1024                  // Put blocks while this many games wait
	batchGames  = 2048                  // largest number of games in a commit
	maxWindow   = 20 * time.Millisecond // how long a commit waits for games
	maxGap      = 4 * time.Millisecond  // how long it waits for the next game
)

// task is a game to store, or another change, which has a separate transaction.
type task struct {
	game   *put
	change func(context.Context, *writer) error
	done   chan error
}

// do runs change in a transaction of the writer and waits for its end.
func (s *Store) do(ctx context.Context, change func(context.Context, *writer) error) error {
	return s.send(ctx, &task{change: change})
}

// send passes a task to the writer and waits for its end. ctx can only cancel it before it is
// passed.
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

// writer belongs to the only goroutine that changes the database.
type writer struct {
	*Store
	conn  *sql.Conn
	last  time.Time // when the last games were taken
	alone bool      // no game came during the last wait

	rows, records *sql.Stmt // store a game
}

// work writes until the Store is closed and no task waits.
func (w *writer) work() {
	defer close(w.done)
	defer func() { // because an open statement keeps the log from being merged
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
// several games. While games come fast it waits for more, at most maxWindow in all and maxGap for
// each. It commits at once in a slow run, and if no game came during the last wait, because a
// caller waits for each commit. It returns a task of another kind that came.
func (w *writer) batch(first *task) (other *task) {
	games, wait, began := []*task{first}, maxWindow, time.Now()
	if w.alone || time.Since(w.last) > maxWindow {
		wait = 0
	}
	for more := true; more && len(games) < batchGames; {
		select {
		case other = <-w.tasks:
			if more = other != nil && other.game != nil; more { // nil if the Store is closed
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

// transaction commits all of change or nothing. A commit to a file that was deleted or replaced is
// an error too.
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
