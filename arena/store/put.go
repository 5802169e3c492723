package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// put is a game in the queue, packed by its sender.
type put struct {
	row  row
	json []byte
	done chan error
}

// Put stores a finished game of run and returns when it is on disk. It leaves an
// existing game with the same identity unchanged. ctx can only cancel Put before
// the game is queued; afterwards Put waits for the commit.
func (s *Store) Put(ctx context.Context, run int64, g *arena.Game) error {
	p, err := s.put(run, g)
	if err != nil {
		return err
	}
	return send(ctx, s, s.puts, p, p.done)
}

func (s *Store) put(run int64, g *arena.Game) (*put, error) {
	if g.Leg != 0 && g.Leg != 1 {
		return nil, fmt.Errorf("game %s: leg %d: want 0 or 1", g.ID, g.Leg)
	}
	p := &put{row: row{run: run, game: g.Bare()}, done: make(chan error, 1)}
	var err error
	if p.json, err = pack(g); err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	return p, nil
}

// putAll writes games and updates the counts of their runs.
func (w *writer) putAll(ctx context.Context, games []*put) error {
	changed := map[*run]bool{}
	for _, p := range games {
		r, err := w.run(ctx, p.row.run)
		if err == nil {
			var isNew bool
			isNew, err = w.put(ctx, r, p)
			changed[r] = changed[r] || isNew
		}
		if err != nil {
			return fmt.Errorf("game %s: %w", p.row.game.ID, err)
		}
	}
	for r, isNew := range changed {
		if !isNew {
			continue
		}
		if err := r.write(ctx, w.conn, false); err != nil {
			return err
		}
	}
	return nil
}

// put writes a game, unless it exists, and counts it.
func (w *writer) put(ctx context.Context, r *run, p *put) (isNew bool, err error) {
	for i, name := range p.row.game.Pairing {
		if p.row.engines[i] = r.engine(name); p.row.engines[i] < 0 {
			return false, fmt.Errorf("engine %s is not of run %d", name, r.id)
		}
	}
	done, err := w.rows.ExecContext(ctx, p.row.values()...)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err // the game exists
	}
	id, err := done.LastInsertId()
	if err == nil {
		_, err = w.records.ExecContext(ctx, id, p.json)
	}
	if p.row.game.Status.Counts() {
		r.games++
	} else {
		r.aside++
	}
	return true, err
}

// Void stores a game that stalled and sets aside what is there of its pair,
// given by identities: nothing is deleted, and none of it counts. Either all of
// that is done or nothing.
func (s *Store) Void(ctx context.Context, run int64, stalled *arena.Game, pair []string) error {
	p, err := s.put(run, stalled)
	if err != nil {
		return err
	}
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := w.run(ctx, run)
		if err != nil {
			return err
		}
		args := []any{run}
		for _, identity := range pair {
			args = append(args, identity)
		}
		attempt, _, err := w.setAside(ctx, r, arena.StatusVoid, func(*arena.Game) bool { return true },
			"WHERE g.run = ? AND g.identity IN (?"+strings.Repeat(", ?", len(pair)-1)+")", args...)
		if err != nil {
			return err
		}
		p.row.game.Status, p.row.game.Attempt = arena.StatusVoid, attempt
		if _, err := w.put(ctx, r, p); err != nil {
			return err
		}
		return r.write(ctx, w.conn, false)
	})
}

// SetWorkerAside sets aside games of a run that a worker on another machine played, those
// with these identities or all of them: nothing is deleted, none of them counts any more, and
// the run can play them again. The reason is a remark of the run. It returns how many games
// these are.
func (s *Store) SetWorkerAside(ctx context.Context, run int64, worker string, only []string, reason string) (n int, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := w.run(ctx, run)
		if err != nil {
			return err
		}
		names := map[string]bool{}
		var attempt int
		attempt, n, err = w.setAside(ctx, r, arena.StatusExcluded, func(g *arena.Game) bool {
			if g.By != nil {
				names[g.By.Worker] = true
			}
			return g.By != nil && g.By.Worker == worker && (only == nil || slices.Contains(only, g.ID))
		}, ofRun, run)
		if err == nil && n == 0 {
			err = fmt.Errorf("worker %s: %w in run %s (workers with games: %s)", worker, arena.ErrNoGames, r.name, cmp.Or(strings.Join(slices.Sorted(maps.Keys(names)), ", "), "none"))
		}
		if err != nil {
			return err
		}
		return w.note(ctx, r, "interrupted", arena.Remark{Time: time.Now(), Text: fmt.Sprintf(
			"set aside %d: %d games of worker %s: %s", attempt, n, worker, reason)})
	})
	return n, err
}

// setAside gives those of the games found that count, and are meant, a status in which they do
// not, and the number of the next attempt with it.
func (w *writer) setAside(
	ctx context.Context, r *run, status arena.Status, meant func(*arena.Game) bool, where string, args ...any,
) (attempt, n int, err error) {
	var games []row
	attempt = 1
	damage := &Damage{Run: r.name}
	err = eachGame(ctx, w.conn, r, damage, func(found *rowReader) {
		switch g := &found.game; {
		case g.Status == status:
			attempt = max(attempt, g.Attempt+1)
		case g.Status.Counts() && meant(g):
			games = append(games, found.row)
		}
	}, where, args...)
	if err = errors.Join(err, damage.err()); err != nil {
		return 0, 0, err
	}
	for i := range games {
		g := &games[i]
		g.game.Status, g.game.Attempt = status, attempt
		values := g.values()
		if _, err := w.conn.ExecContext(ctx, "UPDATE games SET status = ?, attempt = ?, sum = ? WHERE id = ?",
			string(status), attempt, values[len(values)-1], g.id); err != nil {
			return 0, 0, err
		}
	}
	r.games, r.aside = r.games-len(games), r.aside+len(games)
	return attempt, len(games), nil
}
