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

// header is a run without its games.
type header struct {
	name, game string
	settings   arena.Settings
	engines    []arena.EngineSpec
}

// Begin opens the plan's run under its name, new or resumed, and returns the
// games it has, in job order, stalled ones left out. Where games are there
// and conditions of play are not what they were the error is a *Changed.
func (s *Store) Begin(ctx context.Context, plan *arena.Plan) (int64, []arena.Finished, error) {
	h := header{name: plan.Name, game: plan.Game.Name(), settings: plan.Settings(), engines: plan.Engines}
	id, err := s.begin(ctx, h, time.Now())
	if err != nil {
		return 0, nil, err
	}
	done, err := s.Finished(ctx, id)
	return id, done, err
}

func (s *Store) begin(ctx context.Context, h header, now time.Time) (id int64, err error) {
	err = s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		id, err = beginRun(ctx, conn, h, now)
		return err
	})
	return id, err
}

func beginRun(ctx context.Context, conn *sql.Conn, h header, now time.Time) (int64, error) {
	settings, err := json.Marshal(h.settings)
	if err != nil {
		return 0, fmt.Errorf("settings of run %s: %w", h.name, err)
	}
	was, err := readRun(ctx, conn, "name = ?", h.name)
	var id int64
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r, err := conn.ExecContext(ctx, "INSERT INTO runs (name, game, state, started, changed, settings) VALUES (?, ?, 'running', ?, ?, ?)",
			h.name, h.game, now.UnixMilli(), now.UnixMilli(), string(settings))
		if err != nil {
			return 0, err
		}
		if id, err = r.LastInsertId(); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	default:
		id = was.ID
		if was.Games > 0 {
			engines, err := readEngines(ctx, conn, id, "")
			if err != nil {
				return 0, err
			}
			before := header{name: h.name, game: was.Game, settings: was.Plan, engines: engines}
			if d := before.conditions().Differences(h.conditions()); len(d) > 0 {
				return 0, &Changed{Run: h.name, Games: was.Games, Differences: d}
			}
		}
		if _, err := conn.ExecContext(ctx, "UPDATE runs SET game = ?, state = 'running', changed = ?, settings = ? WHERE id = ?",
			h.game, now.UnixMilli(), string(settings), id); err != nil {
			return 0, err
		}
	}
	return id, writeEngines(ctx, conn, id, h.engines)
}

// writeEngines puts the engines in the plan's order; engines that left the
// plan stay for their games, behind the others.
func writeEngines(ctx context.Context, conn *sql.Conn, run int64, engines []arena.EngineSpec) error {
	if _, err := conn.ExecContext(ctx, "UPDATE engines SET place = place + 1000000 WHERE run = ? AND place < 1000000", run); err != nil {
		return err
	}
	for i, e := range engines {
		spec, err := json.Marshal(kept(e))
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

// Note changes the run's state and adds a remark, each if not empty. A remark
// that the run has already is not added again.
func (s *Store) Note(ctx context.Context, run int64, state, remark string) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		now := time.Now().UnixMilli()
		r, err := conn.ExecContext(ctx, "UPDATE runs SET changed = ?, state = CASE WHEN ? = '' THEN state ELSE ? END WHERE id = ?", now, state, state, run)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("no run %d", run))
		}
		if remark == "" {
			return nil
		}
		_, err = conn.ExecContext(ctx, `INSERT INTO remarks (run, time, text) SELECT ?, ?, ?
			WHERE NOT EXISTS (SELECT 1 FROM remarks WHERE run = ? AND text = ?)`, run, now, remark, run, remark)
		return err
	})
}

// Finished are the run's games as formats, stopping rules and tables need
// them, in job order.
func (s *Store) Finished(ctx context.Context, run int64) ([]arena.Finished, error) {
	var done []arena.Finished
	for rec, err := range s.Games(ctx, run, false) {
		if err != nil {
			return nil, err
		}
		done = append(done, rec.Finished())
	}
	return done, nil
}

// Abandon removes the run if it has no games.
func (s *Store) Abandon(ctx context.Context, run int64) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM runs WHERE id = ? AND games = 0 AND stalled = 0", run)
		return err
	})
}
