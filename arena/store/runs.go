package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/files"
)

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// mostReads is the number of connections for reading that stay open.
const mostReads = 4

// read runs do in a transaction, which sees the database as it is at one moment.
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

// Runs returns all undamaged runs, the latest first. The error names the damaged runs.
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

// Find returns the run that word names, the latest if word is "". A word is the name of a run, its
// number as 7 or #7, the name of its match file without folder and suffix, or the beginning of its
// name. The first of these that fits counts, and it must fit only one run.
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
	names := arena.Map(found[:min(10, len(found))], func(r arena.RunInfo) string { return strconv.Quote(r.Name) })
	there := strings.Join(names, ", ")
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

// Incidents returns the incidents of the workers of a run, the oldest first.
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

// run is a row of the table runs with its row of the table heads.
type run struct {
	arena.RunInfo // its ID is 0 until the run is stored
	changed       int64
	aside         int   // number of games that do not count
	sum           int64 // as stored
	text          sql.NullString
	textSum       sql.NullInt64
}

// head has the values of a run that rarely change: when it is begun, noted or renamed.
type head struct {
	Game     string             `json:"game"`
	Started  time.Time          `json:"started"`
	Remarks  []arena.Remark     `json:"remarks"`
	Settings arena.Plan         `json:"settings"`
	Engines  []arena.EngineSpec `json:"engines"`
	Left     []arena.EngineSpec `json:"left"`
}

// running is the state of a run that is being played, or whose program was killed.
const running = "running"

func (r *run) checksum() int64 {
	return sumOf(r.ID, r.Name, r.State, r.changed, int64(r.Games), int64(r.aside))
}

// check reads the head. It returns an error if the run is damaged.
func (r *run) check() error {
	if r.checksum() != r.sum || sumOf(r.ID, r.text.String) != r.textSum.Int64 {
		return r.damage(errChecksum)
	}
	var h head
	err := json.Unmarshal([]byte(r.text.String), &h)
	r.Game, r.Started, r.Remarks, r.Plan, r.Left = h.Game, h.Started, h.Remarks, h.Settings, h.Left
	r.Plan.Engines = h.Engines
	return r.damage(err)
}

func (r *run) damage(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: run %s (#%d), its settings or its engines: %w", ErrDamaged, r.Name, r.ID, err)
}

// write stores the run without its head.
func (r *run) write(ctx context.Context, conn *sql.Conn) error {
	r.changed = time.Now().UnixMilli()
	if r.ID == 0 { // the sum needs its number
		const insert = "INSERT INTO runs (name, state, changed, games, aside, sum) VALUES (?, '', 0, 0, 0, 0) RETURNING id"
		if err := conn.QueryRowContext(ctx, insert, r.Name).Scan(&r.ID); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "UPDATE runs SET name = ?, state = ?, changed = ?, games = ?, aside = ?, sum = ? WHERE id = ?",
		r.Name, r.State, r.changed, r.Games, r.aside, r.checksum(), r.ID)
	return err
}

// writeAll stores the run with its head.
func (r *run) writeAll(ctx context.Context, conn *sql.Conn) error {
	text, err := json.Marshal(head{r.Game, r.Started, r.Remarks, r.Plan, r.Plan.Engines, r.Left})
	if err == nil {
		err = r.write(ctx, conn)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "REPLACE INTO heads (run, json, sum) VALUES (?, ?, ?)", r.ID, string(text), sumOf(r.ID, string(text)))
	}
	return err
}

// info returns the run as readers see it. If its state is running but no process plays it, its
// state becomes interrupted.
func (s *Store) info(r *run) arena.RunInfo {
	if r.State == running && s.free(r.Name) {
		r.State = "interrupted"
	}
	r.Changed = time.UnixMilli(r.changed)
	return r.RunInfo
}

// note adds remarks that the run does not have.
func (r *run) note(remarks ...arena.Remark) {
	for _, remark := range remarks {
		known := slices.ContainsFunc(r.Remarks, func(m arena.Remark) bool { return m.Text == remark.Text })
		if remark.Text != "" && !known {
			r.Remarks = append(r.Remarks, remark)
		}
	}
}

// readRun returns the run with that number after a check.
func readRun(ctx context.Context, q querier, id int64) (*run, error) {
	r, err := findRun(ctx, q, "id = ?", id)
	if err == nil && r == nil {
		err = fmt.Errorf("%w: no run %d", ErrUnknown, id)
	}
	return r, err
}

// findRun returns the run for which where holds, after a check. It returns nil if there is none.
func findRun(ctx context.Context, q querier, where string, arg any) (*run, error) {
	runs, err := readRuns(ctx, q, withHead+"WHERE "+where, arg)
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return runs[0], runs[0].check()
}

// countsOf returns the run with that number without its head.
func countsOf(ctx context.Context, q querier, id int64) (*run, error) {
	runs, err := readRuns(ctx, q, "NULL, NULL FROM runs WHERE id = ?", id)
	switch {
	case err != nil:
		return nil, err
	case len(runs) == 0:
		return nil, fmt.Errorf("%w: no run %d", ErrUnknown, id)
	case runs[0].checksum() != runs[0].sum:
		return nil, runs[0].damage(errChecksum)
	}
	return runs[0], nil
}

const withHead = "json, heads.sum FROM runs LEFT JOIN heads ON run = id "

// readRuns reads runs without a check, the latest first.
func readRuns(ctx context.Context, q querier, rest string, args ...any) (runs []*run, err error) {
	err = eachRow(ctx, q, func(rows *sql.Rows) error {
		r := &run{}
		runs = append(runs, r)
		return rows.Scan(&r.ID, &r.Name, &r.State, &r.changed, &r.Games, &r.aside, &r.sum, &r.text, &r.textSum)
	}, "SELECT id, name, state, changed, games, aside, runs.sum, "+rest+" ORDER BY changed DESC, id DESC", args...)
	return runs, err
}

// Hold marks the run with this name as being played, until release is called or the process ends.
// Meanwhile Hold returns an error for it in every process. The mark is a lock in a file next to the
// database, at a place that depends on the name. On systems without such locks Hold does
// nothing.
func (s *Store) Hold(run string) (release func() error, err error) {
	release, err = files.Lock(s.mark(run))
	if errors.Is(err, files.ErrLocked) {
		return nil, fmt.Errorf("run %s is being played by another program: wait for it or stop it, or play under another name (name: …, or --name of vs)", run)
	}
	if err != nil {
		return nil, fmt.Errorf("marking run %s as being played: %w", run, err)
	}
	return release, nil
}

// free reports whether it is certain that nobody plays the run.
func (s *Store) free(run string) bool { return files.Free(s.mark(run)) }

// mark returns the place of a run's mark.
func (s *Store) mark(run string) (path string, at int64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(run))
	return s.path + "-runs", int64(h.Sum64() >> 2)
}
