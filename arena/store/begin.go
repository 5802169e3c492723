package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"thera/arena"
)

// header is a run without its games.
type header struct {
	name, game string
	settings   arena.Settings
	engines    []arena.EngineSpec
}

// Begin creates or resumes the run with the plan's name and returns what is there of
// it. If there are games and the playing conditions
// have changed, the error says how.
func (s *Store) Begin(ctx context.Context, plan *arena.Plan) (id int64, was arena.Past, err error) {
	h := header{name: plan.Name, game: plan.Game.Name(), settings: plan.Settings(), engines: plan.Engines}
	err = s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		id, err = beginRun(ctx, conn, &h, time.Now())
		return err
	})
	if err != nil {
		return 0, was, err
	}
	was.Earlier = h.settings.Earlier
	was.Games, err = s.Finished(ctx, id)
	return id, was, err
}

func beginRun(ctx context.Context, conn *sql.Conn, h *header, now time.Time) (id int64, err error) {
	was, err := findRun(ctx, conn, "name = ?", h.name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if id, err = newRun(ctx, conn, h, now); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	default:
		if err := resume(ctx, conn, h, was, now); err != nil {
			return 0, err
		}
		id = was.id
	}
	if err := writeEngines(ctx, conn, id, h.engines); err != nil {
		return 0, err
	}
	return id, seal(ctx, conn, id)
}

func newRun(ctx context.Context, conn *sql.Conn, h *header, now time.Time) (int64, error) {
	// A run with a damaged name must not be started a second time unnoticed.
	runs, err := readRaw(ctx, conn, "")
	if err != nil {
		return 0, err
	}
	for i := range runs {
		if err := runs[i].check(); err != nil {
			return 0, err
		}
	}
	settings, err := json.Marshal(h.settings)
	if err != nil {
		return 0, fmt.Errorf("settings of run %s: %w", h.name, err)
	}
	r, err := conn.ExecContext(ctx, "INSERT INTO runs (name, game, state, started, changed, settings) VALUES (?, ?, ?, ?, ?, ?)",
		h.name, h.game, running, now.UnixMilli(), now.UnixMilli(), string(settings))
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// resume gives an existing run the settings of the plan.
func resume(ctx context.Context, conn *sql.Conn, h *header, was *rawRun, now time.Time) error {
	info, err := was.info()
	if err != nil {
		return err
	}
	if was.games+was.aside > 0 {
		engines, err := was.specs(true)
		if err != nil {
			return err
		}
		before := header{name: h.name, game: was.game, settings: info.Plan, engines: engines}
		if d := before.conditions().Differences(h.conditions()); len(d) > 0 {
			return &ChangedError{Run: h.name, Games: was.games, Differences: d}
		}
		h.settings.Earlier = earlier(info.Plan, h.settings, was.games)
	}
	settings, err := json.Marshal(h.settings)
	if err != nil {
		return fmt.Errorf("settings of run %s: %w", h.name, err)
	}
	_, err = conn.ExecContext(ctx, "UPDATE runs SET game = ?, state = ?, changed = ?, settings = ? WHERE id = ?",
		h.game, running, now.UnixMilli(), string(settings), was.id)
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

// left is the lowest place of an engine that is no longer in the plan.
const left = 1_000_000

// writeEngines stores the engines in the plan's order. Engines that left the plan
// are kept for their games, after the others.
func writeEngines(ctx context.Context, conn *sql.Conn, run int64, engines []arena.EngineSpec) error {
	if _, err := conn.ExecContext(ctx, "UPDATE engines SET place = place + ?2 WHERE run = ?1 AND place < ?2", run, left); err != nil {
		return err
	}
	for i, e := range engines {
		e.Env = arena.SealEnv(e.Env) // values may be passwords
		spec, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("engine %s: %w", e.Name, err)
		}
		if _, err := conn.ExecContext(ctx, `INSERT INTO engines (run, place, name, spec) VALUES (?, ?, ?, ?)
			ON CONFLICT (run, name) DO UPDATE SET place = excluded.place, spec = excluded.spec`,
			run, i, e.Name, string(spec)); err != nil {
			return err
		}
	}
	return nil
}

// Note changes the run's state and adds a remark, each unless it is empty. It
// does not add a remark twice.
func (s *Store) Note(ctx context.Context, run int64, state, remark string) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return note(ctx, conn, run, state, arena.Remark{Time: time.Now(), Text: remark})
	})
}

func note(ctx context.Context, conn *sql.Conn, id int64, state string, remark arena.Remark) error {
	run, err := readRun(ctx, conn, id)
	if err != nil {
		return err
	}
	if state == "" {
		state = run.state
	}
	if _, err := conn.ExecContext(ctx, "UPDATE runs SET changed = ?, state = ? WHERE id = ?", time.Now().UnixMilli(), state, id); err != nil {
		return err
	}
	known := slices.ContainsFunc(run.remarks, func(m rawRemark) bool { return m.text == remark.Text })
	if remark.Text != "" && !known {
		if _, err := conn.ExecContext(ctx, "INSERT INTO remarks (run, time, text) VALUES (?, ?, ?)", id, remark.Time.UnixMilli(), remark.Text); err != nil {
			return err
		}
	}
	return seal(ctx, conn, id)
}

// Abandon removes the run if it has no games.
func (s *Store) Abandon(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM runs WHERE id = ? AND games = 0 AND aside = 0", run)
		return err
	})
}
