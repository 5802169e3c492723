package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"thera/arena"
)

// run is a row of the table runs.
type run struct {
	id           int64 // 0: not stored yet
	name, state  string
	changed      int64
	games, aside int    // that count, and that do not
	text         string // head as JSON
	sum          int64
	head
}

// head is what changes only when a run is begun or noted.
type head struct {
	Game     string             `json:"game"`
	Started  time.Time          `json:"started"`
	Remarks  []arena.Remark     `json:"remarks"`
	Settings arena.Settings     `json:"settings"`
	Engines  []arena.EngineSpec `json:"engines"` // all that it ever had: games name them by their place here
	Plan     []int              `json:"plan"`    // those of its plan, in its order
}

// running is the state of a run that is being played or whose program was killed.
const running = "running"

func (r *run) checksum() int64 {
	return sumOf(r.name, r.state, r.changed, int64(r.games), int64(r.aside), r.text)
}

// check reads the head. The error says that the run is damaged.
func (r *run) check() error {
	err := errChecksum
	if r.checksum() == r.sum {
		err = json.Unmarshal([]byte(r.text), &r.head)
	}
	if err != nil {
		return fmt.Errorf("%w: run %s (#%d), its settings or its engines: %w", ErrDamaged, r.name, r.id, err)
	}
	return nil
}

// write stores the run, after its head was changed or not.
func (r *run) write(ctx context.Context, conn *sql.Conn, changed bool) error {
	if changed {
		text, err := json.Marshal(r.head)
		if err != nil {
			return fmt.Errorf("settings of run %s: %w", r.name, err)
		}
		r.text = string(text)
	}
	r.changed = time.Now().UnixMilli()
	var id any
	if r.id != 0 {
		id = r.id
	}
	return conn.QueryRowContext(ctx, `INSERT INTO runs (id, name, state, changed, games, aside, head, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, state = excluded.state, changed = excluded.changed,
		games = excluded.games, aside = excluded.aside, head = excluded.head, sum = excluded.sum RETURNING id`,
		id, r.name, r.state, r.changed, r.games, r.aside, r.text, r.checksum()).Scan(&r.id)
}

// info converts the run for package arena.
func (r *run) info() arena.RunInfo {
	return arena.RunInfo{
		ID: r.id, Name: r.name, Game: r.Game, State: r.state, Games: r.games,
		Started: r.Started, Changed: time.UnixMilli(r.changed), Remarks: r.Remarks, Plan: r.Settings,
	}
}

// specs returns the run's engines in the plan's order and, with all, then those
// that left the plan.
func (r *run) specs(all bool) []arena.EngineSpec {
	var specs []arena.EngineSpec
	for _, i := range r.Plan {
		specs = append(specs, r.Engines[i])
	}
	for i, e := range r.Engines {
		if all && !slices.Contains(r.Plan, i) {
			specs = append(specs, e)
		}
	}
	return specs
}

// engine is the place of the engine of that name among all engines of the run, -1 if it never
// had one.
func (r *run) engine(name string) int {
	return slices.IndexFunc(r.Engines, func(e arena.EngineSpec) bool { return e.Name == name })
}

// conditions are those under which the run is played.
func (r *run) conditions() arena.Conditions { return r.Settings.Conditions(r.Game, r.specs(true)) }

// readRun returns the run with that number after a check.
func readRun(ctx context.Context, q querier, id int64) (*run, error) {
	return readAgain(ctx, q, id, nil)
}

// readAgain is readRun of a run that may have been read before.
func readAgain(ctx context.Context, q querier, id int64, before *run) (*run, error) {
	runs, err := readRuns(ctx, q, "WHERE id = ?", id)
	switch {
	case err != nil:
		return nil, err
	case len(runs) == 0:
		return nil, fmt.Errorf("%w: no run %d", ErrUnknown, id)
	case before != nil && before.text == runs[0].text && runs[0].checksum() == runs[0].sum:
		runs[0].head = before.head // most of what is to be read
		return runs[0], nil
	}
	return runs[0], runs[0].check()
}

// findRun returns the run for which where holds after a check. The error is
// sql.ErrNoRows if there is none.
func findRun(ctx context.Context, q querier, where string, args ...any) (*run, error) {
	runs, err := readRuns(ctx, q, "WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, sql.ErrNoRows
	}
	return runs[0], runs[0].check()
}

// readRuns reads runs without a check and without their heads, the latest first.
func readRuns(ctx context.Context, q querier, where string, args ...any) (runs []*run, err error) {
	err = eachRow(ctx, q, func(rows *sql.Rows) error {
		r := &run{}
		runs = append(runs, r)
		return rows.Scan(&r.id, &r.name, &r.state, &r.changed, &r.games, &r.aside, &r.text, &r.sum)
	}, "SELECT id, name, state, changed, games, aside, head, sum FROM runs "+where+" ORDER BY changed DESC, id DESC", args...)
	return runs, err
}

// places are the places in the plan of all engines of the run; those that left it come last.
func (r *run) places() []int {
	places := make([]int, len(r.Engines))
	for i := range places {
		places[i] = len(r.Plan) + i
	}
	for place, i := range r.Plan {
		places[i] = place
	}
	return places
}
