package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"thera/arena"
)

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// read runs do in a transaction, in which it sees the database at one moment.
func (s *Store) read(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.fault(err)
	}
	defer tx.Rollback()
	return s.fault(do(tx))
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

// ErrUnknown is the error of a run or game that is not in the database.
var ErrUnknown = errors.New("unknown")

// Runs returns all undamaged runs, the latest first. The error names the damaged
// ones.
func (s *Store) Runs(ctx context.Context) (runs []arena.RunInfo, err error) {
	var damaged error
	err = s.read(ctx, func(tx *sql.Tx) error {
		all, err := readRuns(ctx, tx, "")
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
	var none arena.RunInfo
	runs, damaged := s.Runs(ctx)
	switch {
	case damaged != nil && (len(runs) == 0 || word == ""):
		return none, damaged
	case len(runs) == 0:
		return none, fmt.Errorf("database %s: %w run: it has no runs yet", s.path, ErrUnknown)
	case word == "":
		return runs[0], nil
	}
	for i, fits := range []func(r *arena.RunInfo, base string) bool{
		func(r *arena.RunInfo, _ string) bool { return r.Name == word },
		func(r *arena.RunInfo, _ string) bool { return fmt.Sprint(r.ID) == strings.TrimPrefix(word, "#") },
		func(_ *arena.RunInfo, base string) bool {
			return base == word || strings.TrimSuffix(base, path.Ext(base)) == word
		},
		func(r *arena.RunInfo, base string) bool {
			return strings.HasPrefix(r.Name, word) || strings.HasPrefix(base, word)
		},
	} {
		if i == 2 && damaged != nil { // one that is damaged may have any name
			return none, damaged
		}
		var found []string
		var last arena.RunInfo
		for _, r := range runs {
			if fits(&r, path.Base(filepath.ToSlash(r.Name))) {
				found, last = append(found, r.Name), r
			}
		}
		switch {
		case len(found) == 1:
			return last, nil
		case len(found) > 1:
			return none, fmt.Errorf("database %s: %d runs are meant by %q: %s", s.path, len(found), word, strings.Join(found[:min(10, len(found))], ", "))
		}
	}
	var names []string
	for i, r := range runs {
		if i == 10 {
			names = append(names, fmt.Sprintf("… %d more, see thera runs", len(runs)-10))
			break
		}
		names = append(names, r.Name)
	}
	return none, fmt.Errorf("database %s: %w run %q (there are: %s)", s.path, ErrUnknown, word, strings.Join(names, ", "))
}

// info returns the run for readers. If its state is running but no process plays
// it, it was interrupted.
func (s *Store) info(r *run) arena.RunInfo {
	info := r.info()
	if info.State == running && s.free(r.name) {
		info.State = "interrupted"
	}
	return info
}
