package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// ChangedError is the error of resuming a run whose playing conditions have changed. Games under
// different conditions would mean nothing together.
type ChangedError struct {
	Run         string
	Games       int
	Differences []string // "limit.move: was 200ms, is 100ms"
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("run %s has %d games that were played under other conditions:\n  %s\n"+
		"they are kept; start a new run with --fresh, or use another name (name: …, or --name of vs)",
		e.Run, e.Games, strings.Join(e.Differences, "\n  "))
}

// Begin creates or resumes the run with the plan's name, and returns what is stored of it. If there
// are games and the playing conditions have changed, the error is a *ChangedError.
func (s *Store) Begin(ctx context.Context, plan *arena.Plan) (id int64, was arena.Past, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := w.begin(ctx, arena.RunInfo{Name: plan.Name, Game: plan.Game.Name(), Started: time.Now(), Plan: *plan})
		if err == nil {
			id, was.Earlier = r.ID, r.Plan.Earlier
		}
		return err
	})
	if err == nil {
		was.Games, err = s.Finished(ctx, id)
	}
	return id, was, err
}

// begin stores a run, and keeps what an earlier start stored.
func (w *writer) begin(ctx context.Context, info arena.RunInfo) (*run, error) {
	r, err := findRun(ctx, w.conn, "name = ?", info.Name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = &run{}
		runs, err := readRuns(ctx, w.conn, withHead)
		for i := 0; err == nil && i < len(runs); i++ {
			err = runs[i].check() // so that a run with a damaged name is not started a second time unnoticed
		}
		if err != nil {
			return nil, err
		}
	}
	if r.Games+r.aside > 0 {
		if err := w.replay(ctx, r, &info); err != nil {
			return nil, err
		}
		if d := r.Differences(&info); len(d) > 0 {
			return nil, &ChangedError{Run: info.Name, Games: r.Games, Differences: d}
		}
		info.Plan.Earlier = earlier(r.Plan, info.Plan, r.Games)
	}
	if r.ID != 0 {
		info.Started, info.Remarks = r.Started, r.Remarks
	}
	info.Plan.Engines = slices.Clone(info.Plan.Engines)
	for i := range info.Plan.Engines {
		e := &info.Plan.Engines[i]
		e.Env = arena.SealEnv(e.Env) // values may be passwords
	}
	info.Left = slices.DeleteFunc(r.Engines(), func(e arena.EngineSpec) bool { return info.Plan.Engine(e.Name) != nil })
	info.ID, info.Games, info.State = r.ID, r.Games, running
	r.RunInfo = info
	return r, r.writeAll(ctx, w.conn)
}

// replay excludes the games of engines of a folder that have changed, so that they are played
// again.
func (w *writer) replay(ctx context.Context, r *run, info *arena.RunInfo) error {
	replaced := r.Replaced(info)
	for _, name := range slices.Sorted(maps.Keys(replaced)) {
		plays := func(g *arena.Game) bool { return slices.Contains(g.Pairing[:], name) }
		attempt, n, err := w.exclude(ctx, r, arena.StatusExcluded, plays, ofRun, r.ID)
		if err != nil {
			return err
		}
		if n > 0 {
			r.note(arena.Remark{Time: time.Now(), Text: fmt.Sprintf(
				"excluded %d: %s of %s, which has changed: %s",
				attempt, arena.Plural(n, "game"), name, replaced[name])})
		}
		named := func(e arena.EngineSpec) bool { return e.Name == name }
		r.Plan.Engines, r.Left = slices.DeleteFunc(r.Plan.Engines, named), slices.DeleteFunc(r.Left, named)
	}
	return nil
}

// earlier returns the earlier settings that decided about the games of the run, oldest first.
func earlier(was, is arena.Plan, games int) []arena.Earlier {
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

// Import adds a run with all of its games, or nothing. If there is a run with this name, its
// playing conditions must be the same, and its games stay unchanged. Afterwards the run has the
// state of info, and the remarks of info in addition to its own. Import returns the number of
// games read.
func (s *Store) Import(ctx context.Context, info arena.RunInfo, games iter.Seq2[*arena.Game, error]) (n int, err error) {
	var ended error // the error of games, not of the database
	remarks, state := info.Remarks, info.State
	info.Remarks = nil
	err = s.do(ctx, func(commit context.Context, w *writer) error {
		if info.Started.IsZero() {
			info.Started = time.Now()
		}
		r, err := w.begin(commit, info)
		if err != nil {
			return err
		}
		known := map[string]bool{}
		for _, e := range r.Engines() {
			known[e.Name] = true
		}
		for g, err := range games {
			if ended = cmp.Or(err, ctx.Err()); ended != nil {
				return ended
			}
			p, err := newPut(r.ID, g)
			for _, name := range g.Pairing {
				if err == nil && !known[name] {
					err = fmt.Errorf("game %s: engine %s is not of run %s", g.ID, name, r.Name)
				}
			}
			if err == nil {
				err = w.put(commit, r, p)
			}
			if err != nil {
				return err
			}
			n++
		}
		r.State = state
		r.note(remarks...)
		return r.writeAll(commit, w.conn)
	})
	if err = cmp.Or(ended, err); err != nil {
		n = 0
	}
	return n, err
}

// Note changes the run's state and adds a remark, unless they are empty. It adds no remark twice.
func (s *Store) Note(ctx context.Context, run int64, state, remark string) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := readRun(ctx, w.conn, run)
		if err != nil {
			return err
		}
		r.State = cmp.Or(state, r.State)
		r.note(arena.Remark{Time: time.Now(), Text: remark})
		return r.writeAll(ctx, w.conn)
	})
}

// Abandon removes the run if it has no games.
func (s *Store) Abandon(ctx context.Context, run int64) error {
	return s.remove(ctx, "id = ? AND games = 0 AND aside = 0", run)
}

// Remove deletes a run with its games.
func (s *Store) Remove(ctx context.Context, run int64) error { return s.remove(ctx, "id = ?", run) }

func (s *Store) remove(ctx context.Context, where string, run int64) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, "DELETE FROM runs WHERE "+where, run)
		return err
	})
}

// Retire renames the run with that name, so that the name can be used again, and returns the new
// name. It returns "" if there is no such run or it has no games.
func (s *Store) Retire(ctx context.Context, name string) (kept string, err error) {
	err = s.do(ctx, func(ctx context.Context, w *writer) error {
		r, err := findRun(ctx, w.conn, "name = ?", name)
		if err != nil || r == nil || r.Games+r.aside == 0 {
			return err
		}
		for n, other := 1, r; other != nil; n++ {
			kept = fmt.Sprintf("%s~%d", name, n)
			if other, err = findRun(ctx, w.conn, "name = ?", kept); err != nil {
				return err
			}
		}
		r.Name = kept
		return r.write(ctx, w.conn)
	})
	return kept, err
}
