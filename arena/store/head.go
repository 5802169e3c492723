package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"thera/arena"
)

// rawRun is a run as stored in the tables runs, remarks and engines. The column sum is the
// checksum of all of it.
type rawRun struct {
	id, started       int64
	name, game, state string
	settings          string
	changed           int64
	games, aside      int // that count, and that do not
	sum               int64
	remarks           []rawRemark
	engines           []rawEngine // by number
}

type rawRemark struct {
	time int64
	text string
}

type rawEngine struct {
	id         int64
	place      int
	name, spec string
}

func (r *rawRun) checksum() int64 {
	values := []any{
		r.id, r.started, r.name, r.game, r.state, r.settings, r.changed, int64(r.games), int64(r.aside), int64(len(r.remarks)),
	}
	for _, m := range r.remarks {
		values = append(values, m.time, m.text)
	}
	for _, e := range r.engines {
		values = append(values, e.id, int64(e.place), e.name, e.spec)
	}
	return sumOf(values...)
}

// check returns an error if the checksum is wrong.
func (r *rawRun) check() error {
	if r.checksum() != r.sum {
		return fmt.Errorf("%w: run %s (#%d), its settings or its engines: %w", ErrDamaged, r.name, r.id, errChecksum)
	}
	return nil
}

// write stores the numbers of games of the run and its checksum.
func (r *rawRun) write(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "UPDATE runs SET changed = ?, games = ?, aside = ?, sum = ? WHERE id = ?",
		r.changed, r.games, r.aside, r.checksum(), r.id)
	return err
}

// seal updates the checksum of a run after a change. The run was checked when it
// was read before.
func seal(ctx context.Context, conn *sql.Conn, id int64) error {
	runs, err := readRaw(ctx, conn, "WHERE id = ?", id)
	if err != nil || len(runs) == 0 {
		return err
	}
	return runs[0].write(ctx, conn)
}

// info converts the run for package arena.
func (r *rawRun) info() (arena.RunInfo, error) {
	info := arena.RunInfo{
		ID: r.id, Name: r.name, Game: r.game, State: r.state, Games: r.games,
		Started: time.UnixMilli(r.started), Changed: time.UnixMilli(r.changed),
	}
	for _, m := range r.remarks {
		info.Remarks = append(info.Remarks, arena.Remark{Time: time.UnixMilli(m.time), Text: m.text})
	}
	if err := json.Unmarshal([]byte(r.settings), &info.Plan); err != nil {
		return info, fmt.Errorf("%w: settings of run %s: %w", ErrDamaged, r.name, err)
	}
	return info, nil
}

// specs returns the run's engines in the plan's order and, with all, then those
// that left the plan.
func (r *rawRun) specs(all bool) ([]arena.EngineSpec, error) {
	byPlace := slices.Clone(r.engines)
	slices.SortStableFunc(byPlace, func(x, y rawEngine) int { return cmp.Compare(x.place, y.place) })
	var specs []arena.EngineSpec
	for _, e := range byPlace {
		if e.place >= left && !all {
			break
		}
		var spec arena.EngineSpec
		if err := json.Unmarshal([]byte(e.spec), &spec); err != nil {
			return nil, fmt.Errorf("%w: engine %s: %w", ErrDamaged, e.name, err)
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// readRun returns the run with that number after a check.
func readRun(ctx context.Context, q querier, id int64) (*rawRun, error) {
	run, err := findRun(ctx, q, "id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no run %d", ErrUnknown, id)
	}
	return run, err
}

// findRun returns the run for which where holds after a check. The error is
// sql.ErrNoRows if there is none.
func findRun(ctx context.Context, q querier, where string, args ...any) (*rawRun, error) {
	runs, err := readRaw(ctx, q, "WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, sql.ErrNoRows
	}
	return &runs[0], runs[0].check()
}

// readRaw reads runs without a check, the latest first.
func readRaw(ctx context.Context, q querier, where string, args ...any) ([]rawRun, error) {
	var runs []rawRun
	err := eachRow(ctx, q, func(rows *sql.Rows) error {
		var r rawRun
		err := rows.Scan(&r.id, &r.name, &r.game, &r.state, &r.started, &r.settings, &r.changed, &r.games, &r.aside, &r.sum)
		runs = append(runs, r)
		return err
	}, `SELECT id, name, game, state, started, settings, changed, games, aside, sum
		FROM runs `+where+` ORDER BY changed DESC, id DESC`, args...)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		if err := runs[i].readRest(ctx, q); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func (r *rawRun) readRest(ctx context.Context, q querier) error {
	err := eachRow(ctx, q, func(rows *sql.Rows) error {
		var m rawRemark
		err := rows.Scan(&m.time, &m.text)
		r.remarks = append(r.remarks, m)
		return err
	}, "SELECT time, text FROM remarks WHERE run = ? ORDER BY rowid", r.id)
	if err != nil {
		return err
	}
	return eachRow(ctx, q, func(rows *sql.Rows) error {
		var e rawEngine
		err := rows.Scan(&e.id, &e.place, &e.name, &e.spec)
		r.engines = append(r.engines, e)
		return err
	}, "SELECT id, place, name, spec FROM engines WHERE run = ? ORDER BY id", r.id)
}
