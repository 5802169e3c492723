package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// errNothing is the error of setting aside the games of a worker that has none.
var errNothing = errors.New("no game that counts")

// SetWorkerAside sets aside all games of a run that a worker on another machine played:
// nothing is deleted, none of them counts any more, and the run can play them again. The
// reason is a remark of the run. It returns how many games these are.
func (s *Store) SetWorkerAside(ctx context.Context, run int64, worker, reason string) (n int, err error) {
	err = s.await(ctx, task{change: func(ctx context.Context, w *writer) error {
		n, err = w.workerAside(ctx, run, worker, reason)
		return err
	}})
	return n, err
}

func (w *writer) workerAside(ctx context.Context, id int64, worker, reason string) (int, error) {
	run, err := readRun(ctx, w.conn, id)
	if err != nil {
		return 0, err
	}
	var least int
	if err := w.conn.QueryRowContext(ctx, "SELECT coalesce(min(stalled), 0) FROM games WHERE run = ?", id).Scan(&least); err != nil {
		return 0, err
	}
	number := 1 - min(least, 0)
	var games []int64
	names := map[string]bool{}
	err = eachBy(ctx, w.conn, id, func(game int64, key arena.Played, by *arena.By) {
		if key.Void == 0 {
			names[by.Worker] = true
			if by.Worker == worker {
				games = append(games, game)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	if len(games) == 0 {
		return 0, fmt.Errorf("worker %s: %w in run %s (workers with games: %s)", worker, errNothing, run.name, listed(names))
	}
	for _, game := range games {
		var identity string
		var figures []byte
		if err := w.conn.QueryRowContext(ctx, "SELECT identity, figures FROM games WHERE id = ?", game).Scan(&identity, &figures); err != nil {
			return 0, err
		}
		if _, err := w.conn.ExecContext(ctx, "UPDATE games SET stalled = ?, figures = ? WHERE id = ?",
			-number, resum(figures, id, []byte(identity), -number), game); err != nil {
			return 0, err
		}
	}
	if _, err := w.conn.ExecContext(ctx, "UPDATE runs SET games = games - ?1, stalled = stalled + ?1 WHERE id = ?2", len(games), id); err != nil {
		return 0, err
	}
	if err := seal(ctx, w.conn, id); err != nil {
		return 0, err
	}
	return len(games), note(ctx, w.conn, id, "interrupted", arena.Remark{Time: time.Now(), Text: fmt.Sprintf(
		"set aside %d: %d games of worker %s: %s", number, len(games), worker, reason)})
}

// listed names up to ten workers.
func listed(names map[string]bool) string {
	list := slices.Sorted(maps.Keys(names))
	if len(list) > 10 {
		list = append(list[:10], fmt.Sprintf("%d more", len(list)-10))
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// eachBy calls do with the stored games of a run that workers on other machines played,
// void ones as well.
func eachBy(ctx context.Context, q querier, run int64, do func(game int64, key arena.Played, by *arena.By)) error {
	return eachRow(ctx, q, func(rows *sql.Rows) error {
		var game int64
		var key arena.Played
		var text string
		if err := rows.Scan(&game, &key.ID, &key.Void, &text); err != nil {
			return err
		}
		var r struct{ By *arena.By }
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil // a damaged game: reading it says so
		}
		if r.By != nil {
			do(game, key, r.By)
		}
		return nil
	}, "SELECT g.id, g.identity, g.stalled, r.rest FROM games g JOIN records r ON r.game = g.id WHERE g.run = ? AND r.rest IS NOT NULL", run)
}

// Played returns which games of a run workers on other machines played.
func (s *Store) Played(ctx context.Context, run int64) (map[arena.Played]arena.By, error) {
	games := map[arena.Played]arena.By{}
	err := s.read(ctx, func(tx *sql.Tx) error {
		return eachBy(ctx, tx, run, func(_ int64, key arena.Played, by *arena.By) { games[key] = *by })
	})
	return games, err
}
