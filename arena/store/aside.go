package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// Void stores a game that stalled and sets aside what is there of its pair,
// given by identities: nothing is deleted, and none of it counts. Either all of
// that is done or nothing.
func (s *Store) Void(ctx context.Context, run int64, stalled *arena.Game, pair []string) error {
	p, err := s.put(run, stalled)
	if err != nil {
		return err
	}
	return s.await(ctx, task{change: func(ctx context.Context, w *writer) error {
		if err := w.refresh(ctx); err != nil {
			return err
		}
		raw, err := w.run(ctx, run)
		if err != nil {
			return err
		}
		args := []any{run}
		for _, identity := range pair {
			args = append(args, identity)
		}
		games, err := readRows(ctx, w.conn, raw, "WHERE g.run = ? AND g.identity IN (?"+strings.Repeat(", ?", len(pair)-1)+")", args...)
		if err != nil {
			return err
		}
		attempt, err := w.setAside(ctx, raw, games, arena.StatusVoid, func(*arena.Game) bool { return true })
		if err != nil {
			return err
		}
		p.row.game.Status, p.row.game.Attempt = arena.StatusVoid, attempt
		return w.putAll(ctx, []*put{p})
	}})
}

// SetWorkerAside sets aside games of a run that a worker on another machine played, those
// with these identities or all of them: nothing is deleted, none of them counts any more, and
// the run can play them again. The reason is a remark of the run. It returns how many games
// these are.
func (s *Store) SetWorkerAside(ctx context.Context, run int64, worker string, only []string, reason string) (n int, err error) {
	err = s.await(ctx, task{change: func(ctx context.Context, w *writer) error {
		raw, err := w.run(ctx, run)
		if err != nil {
			return err
		}
		games, err := readRows(ctx, w.conn, raw, ofRun, run)
		if err != nil {
			return err
		}
		names := map[string]bool{}
		attempt, err := w.setAside(ctx, raw, games, arena.StatusExcluded, func(g *arena.Game) bool {
			if g.By == nil {
				return false
			}
			names[g.By.Worker] = true
			mine := g.By.Worker == worker && (only == nil || slices.Contains(only, g.ID))
			if mine {
				n++
			}
			return mine
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("worker %s: %w in run %s (workers with games: %s)", worker, arena.ErrNoGames, raw.name, listed(names))
		}
		if err := w.count(ctx); err != nil {
			return err
		}
		return note(ctx, w.conn, run, "interrupted", arena.Remark{Time: time.Now(), Text: fmt.Sprintf(
			"set aside %d: %d games of worker %s: %s", attempt, n, worker, reason)})
	}})
	return n, err
}

// setAside gives those of the games that count, and that it is about, a status in which they do
// not, and the number of the next attempt with it.
func (w *writer) setAside(ctx context.Context, run *rawRun, games []row, status arena.Status, about func(*arena.Game) bool) (attempt int, err error) {
	attempt = 1
	for i := range games {
		if g := &games[i].game; g.Status == status {
			attempt = max(attempt, g.Attempt+1)
		}
	}
	for i := range games {
		r := &games[i]
		if !r.game.Status.Counts() || !about(&r.game) {
			continue
		}
		r.game.Status, r.game.Attempt = status, attempt
		values := r.values()
		if _, err := w.conn.ExecContext(ctx, "UPDATE games SET status = ?, attempt = ?, sum = ? WHERE id = ?",
			string(status), attempt, values[len(values)-1], r.id); err != nil {
			return 0, err
		}
		run.games--
		run.aside++
		w.changed[run.id] = true
	}
	return attempt, nil
}

// listed names up to ten workers.
func listed(names map[string]bool) string {
	list := slices.Sorted(maps.Keys(names))
	if len(list) > 10 {
		list = append(list[:10], fmt.Sprintf("%d more", len(list)-10))
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}
