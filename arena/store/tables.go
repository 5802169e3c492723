package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"thera/arena"
)

// tables are the aggregates as the writer remembers them between commits. What
// another program committed in between makes it forget them.
type tables struct {
	version  int64
	runs     map[int64]*runTable
	tallies  map[tallyKey]*tallyRow
	dirty    []*tallyRow
	ends     map[endKey]*countRow
	warnings map[warningKey]*countRow
}

type pairing struct{ a, b int64 }

type runTable struct {
	engines        map[string]int64
	games, stalled int // not written yet
}

type tallyKey struct {
	pairing
	leg   int
	roles [2]string
}

type tallyRow struct {
	key   tallyKey
	round int
	tally arena.Tally
	dirty bool // in tables.dirty
}

type endKey struct {
	pairing
	source         arena.Source
	blamed, winner int
	reason         string
}

type warningKey struct {
	pairing
	kind string
}

// countRow counts what was added since it was written.
type countRow struct {
	added   int
	example string
}

// mostKinds bounds the warning kinds of a commit's pairing: engines may word
// theirs as they like.
const mostKinds = 200

// refresh forgets what another connection may have changed.
func (t *tables) refresh(ctx context.Context, st *statements) error {
	var version int64
	if err := st.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return err
	}
	if t.runs == nil || version != t.version {
		*t = tables{
			version: version, runs: map[int64]*runTable{}, tallies: map[tallyKey]*tallyRow{},
			ends: map[endKey]*countRow{}, warnings: map[warningKey]*countRow{},
		}
	}
	return nil
}

func (t *tables) run(ctx context.Context, st *statements, id int64) (*runTable, error) {
	if r, ok := t.runs[id]; ok {
		return r, nil
	}
	rows, err := st.engines.QueryContext(ctx, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &runTable{engines: map[string]int64{}}
	for rows.Next() {
		var engine int64
		var name string
		if err := rows.Scan(&engine, &name); err != nil {
			return nil, err
		}
		r.engines[name] = engine
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(r.engines) == 0 {
		return nil, fmt.Errorf("no run %d", id)
	}
	t.runs[id] = r
	return r, nil
}

// tally is the row of the key, read where it is not remembered.
func (t *tables) tally(ctx context.Context, st *statements, key tallyKey, round int) (*tallyRow, error) {
	if row, ok := t.tallies[key]; ok {
		return row, nil
	}
	row := &tallyRow{key: key, round: round}
	var text []byte
	err := st.tally.QueryRowContext(ctx, key.a, key.b, key.leg, key.roles[0], key.roles[1]).Scan(&row.round, &text)
	switch {
	case err == nil:
		err = json.Unmarshal(text, &row.tally)
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	}
	if err != nil {
		return nil, err
	}
	t.tallies[key] = row
	return row, nil
}

func (t *tables) change(row *tallyRow) {
	if !row.dirty {
		row.dirty = true
		t.dirty = append(t.dirty, row)
	}
}

// count adds a stored game to the aggregates.
func (t *tables) count(ctx context.Context, st *statements, at pairing, p *put, fresh bool) error {
	rec := p.rec
	row, err := t.tally(ctx, st, tallyKey{at, rec.Leg, rec.Roles}, rec.Round)
	if err != nil {
		return err
	}
	t.change(row)
	row.round = min(row.round, rec.Round)
	f := rec.Finished()
	row.tally.CountGame(&f, false)
	end := endKey{at, rec.Source, f.Blamed, f.Winner, rec.EndReason()}
	bump(t.ends, end, rec.ID)
	for _, text := range rec.Warnings {
		key := warningKey{at, arena.GameWarningKind(text)}
		if _, ok := t.warnings[key]; !ok && len(t.warnings) >= mostKinds {
			key.kind = "other warnings"
		}
		bump(t.warnings, key, text)
	}
	return t.countPair(ctx, st, at, p, row)
}

func bump[K comparable](m map[K]*countRow, key K, example string) {
	row, ok := m[key]
	if !ok {
		row = &countRow{}
		m[key] = row
	}
	if row.added == 0 {
		row.example = example
	}
	row.added++
}

// countPair counts the pair that p completes, if it does.
func (t *tables) countPair(ctx context.Context, st *statements, at pairing, p *put, row *tallyRow) error {
	rec := p.rec
	var roles [2]string
	var winner, round, wasFresh int
	var sameness int64
	err := st.partner.QueryRowContext(ctx, at.a, at.b, rec.Pair, 1-rec.Leg).Scan(&winner, &sameness, &wasFresh, &round, &roles[0], &roles[1])
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	other, err := t.tally(ctx, st, tallyKey{at, 1 - rec.Leg, roles}, round)
	if err != nil {
		return err
	}
	t.change(other)
	first, winners := &row.tally, [2]int{rec.Winner(), winner}
	if rec.Leg == 1 {
		first, winners = &other.tally, [2]int{winner, rec.Winner()}
	}
	first.CountPair(winners)
	return nil
}

// flush writes what changed.
func (t *tables) flush(ctx context.Context, st *statements) error {
	now := time.Now().UnixMilli()
	for id, r := range t.runs {
		if r.games+r.stalled == 0 {
			continue
		}
		if _, err := st.runCount.ExecContext(ctx, r.games, r.stalled, now, id); err != nil {
			return err
		}
		r.games, r.stalled = 0, 0
	}
	for _, row := range t.dirty {
		key := row.key
		text, err := json.Marshal(&row.tally)
		if err != nil {
			return err
		}
		if _, err := st.setTally.ExecContext(ctx, key.a, key.b, key.leg, key.roles[0], key.roles[1], row.round, string(text)); err != nil {
			return err
		}
		row.dirty = false
	}
	t.dirty = t.dirty[:0]
	for k, row := range t.ends {
		if _, err := st.end.ExecContext(ctx, k.a, k.b, string(k.source), k.blamed, k.winner, k.reason, row.added, row.example); err != nil {
			return err
		}
	}
	clear(t.ends)
	for k, row := range t.warnings {
		if _, err := st.warning.ExecContext(ctx, k.a, k.b, k.kind, row.added, row.example); err != nil {
			return err
		}
	}
	clear(t.warnings)
	return nil
}
