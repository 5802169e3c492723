package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"thera/arena"
)

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// mostReads is how many connections for reading stay open.
const mostReads = 4

// read runs do in a transaction, in which it sees the database at one moment.
func (s *Store) read(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.fault(err)
	}
	defer tx.Rollback()
	return s.fault(do(tx))
}

// readRun runs do in a transaction with a run.
func (s *Store) readRun(ctx context.Context, id int64, do func(tx *sql.Tx, r *run) error) error {
	return s.read(ctx, func(tx *sql.Tx) error {
		r, err := readRun(ctx, tx, id)
		if err != nil {
			return err
		}
		return do(tx, r)
	})
}

// eachRow calls scan for every row of a query.
func eachRow(ctx context.Context, q querier, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Runs returns all undamaged runs, the latest first. The error names the damaged
// ones.
func (s *Store) Runs(ctx context.Context) (runs []arena.RunInfo, err error) {
	var damaged error
	err = s.read(ctx, func(tx *sql.Tx) error {
		all, err := readRuns(ctx, tx, withHead)
		for _, r := range all {
			if bad := r.check(); bad != nil {
				damaged = errors.Join(damaged, s.fault(bad))
				continue
			}
			runs = append(runs, s.info(r))
		}
		return err
	})
	return runs, errors.Join(err, damaged)
}

// Find returns the run that word names; "" is the latest. A word is a name, a number
// as 7 or #7, the name of a match file without folder and suffix, or the start
// of a name, if only one run has it. The first of these that fits counts.
func (s *Store) Find(ctx context.Context, word string) (arena.RunInfo, error) {
	runs, damaged := s.Runs(ctx)
	if word == "" && damaged == nil && len(runs) > 0 {
		return runs[0], nil
	}
	const none = 4
	best, found := none, runs
	for _, r := range runs {
		base := path.Base(filepath.ToSlash(r.Name))
		fits := none
		switch {
		case word == "": // the latest may be the damaged one
		case r.Name == word:
			fits = 0
		case fmt.Sprint(r.ID) == strings.TrimPrefix(word, "#"):
			fits = 1
		case base == word || strings.TrimSuffix(base, path.Ext(base)) == word:
			fits = 2
		case strings.HasPrefix(r.Name, word) || strings.HasPrefix(base, word):
			fits = 3
		}
		if fits < best {
			best, found = fits, nil
		}
		if fits == best && fits < none {
			found = append(found, r)
		}
	}
	there := strings.Join(arena.Map(found[:min(10, len(found))], func(r arena.RunInfo) string { return r.Name }), ", ")
	switch {
	case damaged != nil && best > 1: // one that is damaged may have any name
		return arena.RunInfo{}, damaged
	case best == none && len(runs) == 0:
		return arena.RunInfo{}, fmt.Errorf("database %s: %w run: it has no runs yet", s.path, ErrUnknown)
	case best == none:
		return arena.RunInfo{}, fmt.Errorf("database %s: %w run %q (there are: %s)", s.path, ErrUnknown, word, there)
	case len(found) > 1:
		return arena.RunInfo{}, fmt.Errorf("database %s: %d runs are meant by %q: %s", s.path, len(found), word, there)
	}
	return found[0], nil
}

// Incidents returns what happened with workers in a run, the oldest first.
func (s *Store) Incidents(ctx context.Context, run int64) (list []arena.Incident, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var i arena.Incident
			var at int64
			err := rows.Scan(&at, &i.Worker, &i.Kind, &i.Game, &i.Text)
			i.Time = time.UnixMilli(at)
			list = append(list, i)
			return err
		}, "SELECT time, worker, kind, game, text FROM incidents WHERE run = ? ORDER BY id", run)
	})
	return list, err
}
