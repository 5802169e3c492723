package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"thera/arena"
)

// rawRun is a run as stored in the tables runs, remarks and engines. The column
// head is the checksum of everything except the counts. The column sum is the
// checksum of head and the counts, which change with every commit.
type rawRun struct {
	id, started       int64
	name, game, state string
	settings          []byte
	counts
	remarks []rawRemark
	engines []rawEngine // by number
}

type counts struct {
	head           int64
	changed        int64
	games, stalled int
	sum            int64
}

type rawRemark struct {
	time int64
	text string
}

type rawEngine struct {
	id    int64
	place int
	name  string
	spec  []byte
}

// of computes the checksum for the column sum.
func (c *counts) of() int64 {
	var b []byte
	for _, v := range [...]int64{c.head, c.changed, int64(c.games), int64(c.stalled)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return int64(crc32.Checksum(b, castagnoli))
}

// headOf computes the checksum for the column head.
func (r *rawRun) headOf() int64 {
	b := binary.AppendVarint(nil, r.id)
	b = binary.AppendVarint(b, r.started)
	for _, text := range [...]string{r.name, r.game, r.state, string(r.settings)} {
		b = appendText(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(r.remarks)))
	for _, m := range r.remarks {
		b = appendText(binary.AppendVarint(b, m.time), m.text)
	}
	for _, e := range r.engines {
		b = binary.AppendVarint(binary.AppendVarint(b, e.id), int64(e.place))
		b = appendText(appendText(b, e.name), string(e.spec))
	}
	return int64(crc32.Checksum(b, castagnoli))
}

// check returns an error if a checksum is wrong.
func (r *rawRun) check() error {
	if r.headOf() != r.head || r.counts.of() != r.sum {
		return fmt.Errorf("%w: run %s (#%d), its settings or its engines: %w", ErrDamaged, r.name, r.id, errChecksum)
	}
	return nil
}

// write stores the checksums of the run.
func (r *rawRun) write(ctx context.Context, tx changer) error {
	r.head = r.headOf()
	_, err := tx.ExecContext(ctx, "UPDATE runs SET head = ?, sum = ? WHERE id = ?", r.head, r.counts.of(), r.id)
	return err
}

// seal updates the checksums of a run after a change. The run was checked when it
// was read before.
func seal(ctx context.Context, tx changer, id int64) error {
	runs, err := readRaw(ctx, tx, "WHERE id = ?", []any{id})
	if err != nil || len(runs) == 0 {
		return err
	}
	return runs[0].write(ctx, tx)
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
	if err := json.Unmarshal(r.settings, &info.Plan); err != nil {
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
		if err := json.Unmarshal(e.spec, &spec); err != nil {
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
	runs, err := readRaw(ctx, q, "WHERE "+where, args)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, sql.ErrNoRows
	}
	return &runs[0], runs[0].check()
}

// readRaw reads runs without a check, the latest first.
func readRaw(ctx context.Context, q querier, where string, args []any) ([]rawRun, error) {
	var runs []rawRun
	err := eachRow(ctx, q, func(rows *sql.Rows) error {
		var r rawRun
		err := rows.Scan(&r.id, &r.name, &r.game, &r.state, &r.started, &r.settings, &r.changed, &r.games, &r.stalled, &r.head, &r.sum)
		runs = append(runs, r)
		return err
	}, `SELECT id, name, game, state, started, settings, changed, games, stalled, head, sum
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
