package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// ChangedError is the error of resuming a run whose games were played under other
// conditions. A mix of both would be meaningless.
type ChangedError struct {
	Run         string
	Games       int
	Differences []string // "limit.move: was 200ms, is 100ms"
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("run %s has %d games that were played under other conditions:\n  %s\n"+
		"they are kept; start a new run with --fresh, or use another name (name: …)",
		e.Run, e.Games, strings.Join(e.Differences, "\n  "))
}

// Begin creates or resumes the run with the plan's name and returns what is there of
// it. If there are games and the playing conditions
// have changed, the error says how.
func (s *Store) Begin(ctx context.Context, plan *arena.Plan) (id int64, was arena.Past, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := w.begin(ctx, plan.Name, head{Game: plan.Game.Name(), Started: time.Now(), Settings: plan.Settings()}, plan.Engines)
		if err == nil {
			id, was.Earlier = r.id, r.Settings.Earlier
		}
		return err
	})
	if err == nil {
		was.Games, err = s.Finished(ctx, id)
	}
	return id, was, err
}

// begin stores the run of that name as h has it, which lacks engines, and what is kept of an
// earlier start.
func (w *writer) begin(ctx context.Context, name string, h head, engines []arena.EngineSpec) (*run, error) {
	r, err := findRun(ctx, w.conn, "name = ?", name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r = &run{name: name}
		err = w.checkAll(ctx) // one with a damaged name must not be started a second time unnoticed
	case err == nil && r.games+r.aside > 0:
		if d := r.conditions().Differences(h.Settings.Conditions(h.Game, engines)); len(d) > 0 {
			return nil, &ChangedError{Run: name, Games: r.games, Differences: d}
		}
		h.Settings.Earlier = earlier(r.Settings, h.Settings, r.games)
	}
	if err != nil {
		return nil, err
	}
	if r.id != 0 {
		h.Started, h.Remarks, h.Engines = r.Started, r.Remarks, r.Engines
	}
	r.head, r.state = h, running
	for _, e := range engines {
		e.Env = arena.SealEnv(e.Env) // values may be passwords
		at := r.engine(e.Name)
		if at < 0 {
			at, r.Engines = len(r.Engines), append(r.Engines, arena.EngineSpec{})
		}
		r.Engines[at], r.Plan = e, append(r.Plan, at)
	}
	return r, r.write(ctx, w.conn, true)
}

func (w *writer) checkAll(ctx context.Context) error {
	runs, err := readRuns(ctx, w.conn, "")
	for i := 0; err == nil && i < len(runs); i++ {
		err = runs[i].check()
	}
	return err
}

// earlier returns what decided about the games of the run before, oldest first.
func earlier(was, is arena.Settings, games int) []arena.Earlier {
	list := slices.Clone(was.Earlier)
	before, now := was.Decides(games), is.Decides(0)
	if games > 0 && !before.Alike(&now) {
		list = append(list, before)
	}
	for _, e := range is.Earlier {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// Note changes the run's state and adds a remark, each unless it is empty. It
// does not add a remark twice.
func (s *Store) Note(ctx context.Context, run int64, state, remark string) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := readRun(ctx, w.conn, run)
		if err != nil {
			return err
		}
		return w.note(ctx, r, state, arena.Remark{Time: time.Now(), Text: remark})
	})
}

func (w *writer) note(ctx context.Context, r *run, state string, remarks ...arena.Remark) error {
	if state != "" {
		r.state = state
	}
	for _, remark := range remarks {
		known := slices.ContainsFunc(r.Remarks, func(m arena.Remark) bool { return m.Text == remark.Text })
		if remark.Text != "" && !known {
			r.Remarks = append(r.Remarks, remark)
		}
	}
	return r.write(ctx, w.conn, true)
}

// Abandon removes the run if it has no games.
func (s *Store) Abandon(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, "DELETE FROM runs WHERE id = ? AND games = 0 AND aside = 0", run)
		return err
	})
}

// Remove deletes a run with its games.
func (s *Store) Remove(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, "DELETE FROM runs WHERE id = ?", run)
		return err
	})
}

// Shrink rewrites the database without the space of deleted games if a quarter of it is empty.
// Meanwhile it needs as much space again. It fails without losing anything if another program
// is changing the database.
func (s *Store) Shrink(ctx context.Context) error {
	db, err := connect(s.path, 1)
	if err != nil {
		return s.fault(err)
	}
	defer db.Close()
	var empty, pages int
	err = db.QueryRowContext(ctx, "SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count").Scan(&empty, &pages)
	if err == nil && 4*empty >= pages {
		_, err = db.ExecContext(ctx, "VACUUM")
	}
	return s.fault(err)
}

// SetAside renames the run with that name so that the name can be used again,
// and returns the new name. It returns "" if there is no such run or it has no
// games at all.
func (s *Store) SetAside(ctx context.Context, name string) (aside string, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := findRun(ctx, w.conn, "name = ?", name)
		if errors.Is(err, sql.ErrNoRows) || err == nil && r.games+r.aside == 0 {
			return nil
		}
		for n := 1; err == nil; n++ {
			aside = fmt.Sprintf("%s~%d", name, n)
			_, err = findRun(ctx, w.conn, "name = ?", aside)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		r.name = aside
		return r.write(ctx, w.conn, false)
	})
	return aside, err
}
