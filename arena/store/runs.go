package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
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
func (s *Store) Runs(ctx context.Context) ([]arena.RunInfo, error) {
	var raw []rawRun
	err := s.read(ctx, func(tx *sql.Tx) (err error) {
		raw, err = readRaw(ctx, tx, "")
		return err
	})
	if err != nil {
		return nil, err
	}
	var runs []arena.RunInfo
	var damaged error
	for i := range raw {
		info, err := s.info(&raw[i], raw[i].check())
		if err != nil {
			damaged = errors.Join(damaged, s.fault(err))
			continue
		}
		runs = append(runs, info)
	}
	return runs, damaged
}

// Find returns the run that word names; "" is the latest. A word is a name, a number
// as 7 or #7, the name of a match file without folder and suffix, or the start
// of a name, if only one run has it. The first of these that fits counts.
func (s *Store) Find(ctx context.Context, word string) (arena.RunInfo, error) {
	var none arena.RunInfo
	if word != "" {
		var info arena.RunInfo
		err := s.read(ctx, func(tx *sql.Tx) (err error) {
			info, err = s.info(findRun(ctx, tx, "name = ?", word))
			if id, bad := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64); bad == nil && errors.Is(err, sql.ErrNoRows) {
				info, err = s.info(findRun(ctx, tx, "id = ?", id))
			}
			return err
		})
		if !errors.Is(err, sql.ErrNoRows) {
			return info, err
		}
	}
	// Listing all runs also finds damage, such as a damaged name.
	runs, err := s.Runs(ctx)
	switch {
	case err != nil:
		return none, err
	case len(runs) == 0:
		return none, fmt.Errorf("database %s: %w run: it has no runs yet", s.path, ErrUnknown)
	case word == "":
		return runs[0], nil
	}
	var names, named, begun []string
	byName := map[string]arena.RunInfo{}
	for _, r := range runs {
		names = append(names, r.Name)
		byName[r.Name] = r
		base := path.Base(filepath.ToSlash(r.Name))
		if strings.TrimSuffix(base, path.Ext(base)) == word || base == word {
			named = append(named, r.Name)
		}
		if strings.HasPrefix(r.Name, word) || strings.HasPrefix(base, word) {
			begun = append(begun, r.Name)
		}
	}
	for _, fits := range [][]string{named, begun} {
		switch len(fits) {
		case 0:
		case 1:
			return byName[fits[0]], nil
		default:
			return none, fmt.Errorf("database %s: %d runs are meant by %q: %s", s.path, len(fits), word, strings.Join(fits[:min(10, len(fits))], ", "))
		}
	}
	if len(names) > 10 {
		names = append(names[:10], fmt.Sprintf("… %d more, see thera runs", len(runs)-10))
	}
	return none, fmt.Errorf("database %s: %w run %q (there are: %s)", s.path, ErrUnknown, word, strings.Join(names, ", "))
}

// info returns the run for readers. If its state is running but no process plays
// it, it was interrupted.
func (s *Store) info(run *rawRun, err error) (arena.RunInfo, error) {
	if err != nil {
		return arena.RunInfo{}, err
	}
	info, err := run.info()
	if info.State == running && s.free(run.name) {
		info.State = "interrupted"
	}
	return info, err
}

// running is the state of a run that is being played or whose program was killed.
const running = "running"

// Remove deletes a run with its games.
func (s *Store) Remove(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		// Games first: they refer to engines without a cascade.
		for _, text := range []string{
			"DELETE FROM records WHERE game IN (SELECT id FROM games WHERE run = ?)",
			"DELETE FROM games WHERE run = ?",
			"DELETE FROM engines WHERE run = ?",
			"DELETE FROM runs WHERE id = ?",
		} {
			if _, err := conn.ExecContext(ctx, text, run); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetAside renames the run with that name so that the name can be used again,
// and returns the new name. It returns "" if there is no such run or it has no
// games at all.
func (s *Store) SetAside(ctx context.Context, name string) (aside string, err error) {
	err = s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		run, err := findRun(ctx, conn, "name = ?", name)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil { // void games are kept too
			err = conn.QueryRowContext(ctx, "SELECT id FROM games WHERE run = ? LIMIT 1", run.id).Scan(new(int64))
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
		}
		for n := 1; err == nil; n++ {
			aside = fmt.Sprintf("%s~%d", name, n)
			err = conn.QueryRowContext(ctx, "SELECT id FROM runs WHERE name = ?", aside).Scan(new(int64))
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if _, err := conn.ExecContext(ctx, "UPDATE runs SET name = ? WHERE id = ?", aside, run.id); err != nil {
			return err
		}
		return seal(ctx, conn, run.id)
	})
	return aside, err
}
