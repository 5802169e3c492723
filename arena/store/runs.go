package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/arena"
)

// querier is a pool or a connection.
type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// ErrUnknown is the error of a run or game that is not in the database.
var ErrUnknown = errors.New("unknown")

const runColumns = "SELECT id, name, game, state, started, changed, games, settings FROM runs "

// Runs lists all runs, the latest first.
func (s *Store) Runs(ctx context.Context) ([]arena.RunInfo, error) {
	rows, err := s.reads.QueryContext(ctx, runColumns+"ORDER BY changed DESC, id DESC")
	if err != nil {
		return nil, s.fault(err)
	}
	defer rows.Close()
	var runs []arena.RunInfo
	for rows.Next() {
		run, err := scanRun(rows.Scan)
		if err != nil {
			return nil, s.fault(err)
		}
		runs = append(runs, run)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fault(err)
	}
	for i := range runs {
		if runs[i].Remarks, err = readRemarks(ctx, s.reads, runs[i].ID); err != nil {
			return nil, s.fault(err)
		}
	}
	return runs, nil
}

// Find is the run of that name or, with a #, of that number; "" is the latest.
func (s *Store) Find(ctx context.Context, word string) (arena.RunInfo, error) {
	var run arena.RunInfo
	var err error
	number, isNumber := strings.CutPrefix(word, "#")
	id, badNumber := strconv.ParseInt(number, 10, 64)
	switch {
	case word == "":
		run, err = readRun(ctx, s.reads, "id = (SELECT id FROM runs ORDER BY changed DESC, id DESC LIMIT 1)")
	case isNumber && badNumber == nil:
		run, err = readRun(ctx, s.reads, "id = ?", id)
	default:
		run, err = readRun(ctx, s.reads, "name = ?", word)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return run, s.unknownRun(ctx, word)
	}
	return run, s.fault(err)
}

func (s *Store) unknownRun(ctx context.Context, word string) error {
	runs, err := s.Runs(ctx)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		return fmt.Errorf("database %s: %w run: it holds none yet", s.path, ErrUnknown)
	}
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	if len(names) > 10 {
		names = append(names[:10], fmt.Sprintf("… %d more, see thera runs", len(runs)-10))
	}
	return fmt.Errorf("database %s: %w run %q (there are: %s)", s.path, ErrUnknown, word, strings.Join(names, ", "))
}

// Remove deletes a run and all that it holds.
func (s *Store) Remove(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		// Games first: their engines are referred to without a cascade.
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

// SetAside renames the run of that name, so that it can be played anew, and
// tells the new name; "" when there is no such run or it has no games.
func (s *Store) SetAside(ctx context.Context, name string) (aside string, err error) {
	err = s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		run, err := readRun(ctx, conn, "name = ?", name)
		if errors.Is(err, sql.ErrNoRows) || err == nil && run.Games == 0 {
			return nil
		}
		for n := 1; err == nil; n++ {
			aside = fmt.Sprintf("%s~%d", name, n)
			_, err = readRun(ctx, conn, "name = ?", aside)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		_, err = conn.ExecContext(ctx, "UPDATE runs SET name = ? WHERE id = ?", aside, run.ID)
		return err
	})
	return aside, err
}

func readRun(ctx context.Context, q querier, where string, args ...any) (arena.RunInfo, error) {
	run, err := scanRun(q.QueryRowContext(ctx, runColumns+"WHERE "+where, args...).Scan)
	if err != nil {
		return run, err
	}
	run.Remarks, err = readRemarks(ctx, q, run.ID)
	return run, err
}

func scanRun(scan func(...any) error) (arena.RunInfo, error) {
	var run arena.RunInfo
	var started, changed int64
	var settings []byte
	if err := scan(&run.ID, &run.Name, &run.Game, &run.State, &started, &changed, &run.Games, &settings); err != nil {
		return run, err
	}
	run.Started, run.Changed = time.UnixMilli(started), time.UnixMilli(changed)
	if err := json.Unmarshal(settings, &run.Plan); err != nil {
		return run, fmt.Errorf("%w: settings of run %s: %w", ErrDamaged, run.Name, err)
	}
	return run, nil
}

func readRemarks(ctx context.Context, q querier, run int64) ([]arena.Remark, error) {
	rows, err := q.QueryContext(ctx, "SELECT time, text FROM remarks WHERE run = ? ORDER BY rowid", run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var remarks []arena.Remark
	for rows.Next() {
		var at int64
		var r arena.Remark
		if err := rows.Scan(&at, &r.Text); err != nil {
			return nil, err
		}
		r.Time = time.UnixMilli(at)
		remarks = append(remarks, r)
	}
	return remarks, rows.Err()
}

// Engines are those of the run's plan, in its order, without those that left
// the plan.
func (s *Store) Engines(ctx context.Context, run int64) ([]arena.EngineSpec, error) {
	engines, err := readEngines(ctx, s.reads, run, "AND place < 1000000")
	return engines, s.fault(err)
}

// readEngines are the run's engines in the plan's order, those that are no
// longer in it behind the others.
func readEngines(ctx context.Context, q querier, run int64, and string) ([]arena.EngineSpec, error) {
	rows, err := q.QueryContext(ctx, "SELECT name, spec FROM engines WHERE run = ? "+and+" ORDER BY place, id", run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var engines []arena.EngineSpec
	for rows.Next() {
		var name string
		var spec []byte
		if err := rows.Scan(&name, &spec); err != nil {
			return nil, err
		}
		var e arena.EngineSpec
		if err := json.Unmarshal(spec, &e); err != nil {
			return nil, fmt.Errorf("%w: engine %s: %w", ErrDamaged, name, err)
		}
		engines = append(engines, e)
	}
	return engines, rows.Err()
}
