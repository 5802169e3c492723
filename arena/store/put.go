package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// put is a game on its way, packed by whoever brings it.
type put struct {
	run      int64
	rec      *arena.Record
	moves    string
	plies    []byte
	rest     any // string, or nil
	opening  int64
	sameness int64
	came     time.Time
	done     chan error
}

// rest is what few games have.
type rest struct {
	Points   *[2]float64  `json:"points,omitempty"`
	Fault    *fault       `json:"fault,omitempty"`
	Detail   string       `json:"detail,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
	Passed   int          `json:"passed,omitempty"`
	Tail     *[2][]string `json:"tail,omitempty"`
	Stderr   *[2]string   `json:"stderr,omitempty"`
}

type fault struct {
	Kind   game.FaultKind `json:"kind"`
	Detail string         `json:"detail,omitempty"`
}

// Put stores a finished game of run and returns when it is on disk. A game
// whose identity is there already is left as it was. ctx counts only until
// the game is queued: from then on the commit is waited for.
func (s *Store) Put(ctx context.Context, run int64, rec *arena.Record) error {
	p, err := pack(run, rec)
	if err != nil {
		return fmt.Errorf("game %s: %w", rec.ID, err)
	}
	// Checked apart: a closed store with room in its queue would take the game.
	select {
	case <-s.closed:
		return s.fault(ErrClosed)
	default:
	}
	select {
	case s.puts <- p:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return s.fault(ErrClosed)
	}
	select {
	case err := <-p.done:
		return err
	case <-s.done:
	}
	select { // the writer's last act
	case err := <-p.done:
		return err
	default:
		return s.fault(ErrClosed)
	}
}

func pack(run int64, rec *arena.Record) (*put, error) {
	if rec.Leg != 0 && rec.Leg != 1 {
		return nil, fmt.Errorf("leg %d: want 0 or 1", rec.Leg)
	}
	for i, m := range rec.Moves {
		if strings.ContainsRune(m, '\n') {
			return nil, fmt.Errorf("move %d %q holds a line end", i+1, m)
		}
	}
	rec = canonical(rec)
	p := &put{
		run: run, rec: rec,
		moves: strings.Join(rec.Moves, "\n"), plies: packPlies(rec.Plies),
		opening: int64(arena.OpeningHash(rec.Start)), sameness: int64(rec.Sameness()),
		came: time.Now(), done: make(chan error, 1),
	}
	r := rest{Detail: rec.Detail, Warnings: rec.Warnings, Passed: rec.Passed}
	if rec.Outcome.Points != ([2]float64{}) {
		r.Points = &rec.Outcome.Points
	}
	if rec.Fault != nil {
		r.Fault = &fault{rec.Fault.Kind, rec.Fault.Detail}
	}
	if len(rec.Tail[0]) > 0 || len(rec.Tail[1]) > 0 {
		r.Tail = &rec.Tail
	}
	if rec.Stderr != ([2]string{}) {
		r.Stderr = &rec.Stderr
	}
	if r.Points != nil || r.Fault != nil || r.Detail != "" || len(r.Warnings) > 0 || r.Passed != 0 || r.Tail != nil || r.Stderr != nil {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		p.rest = string(text)
	}
	return p, nil
}

// putAll writes games and the aggregates that they change.
func (w *writer) putAll(ctx context.Context, games []*put) error {
	if err := w.tables.refresh(ctx, w.stmts); err != nil {
		return err
	}
	for _, p := range games {
		if err := w.put(ctx, p); err != nil {
			return fmt.Errorf("game %s: %w", p.rec.ID, err)
		}
	}
	return w.tables.flush(ctx, w.stmts)
}

func (w *writer) put(ctx context.Context, p *put) error {
	rec, st := p.rec, w.stmts
	run, err := w.tables.run(ctx, st, p.run)
	if err != nil {
		return err
	}
	var at pairing
	for i, id := range []*int64{&at.a, &at.b} {
		var ok bool
		if *id, ok = run.engines[rec.Pairing[i]]; !ok {
			return fmt.Errorf("engine %s is not of run %d", rec.Pairing[i], p.run)
		}
	}
	stalled := b2i(rec.Source == arena.Stalled)
	var have int
	if err := st.have.QueryRowContext(ctx, p.run, rec.ID, stalled).Scan(&have); err != nil || have > 0 {
		return err
	}
	fresh := false
	if stalled == 0 {
		if fresh, err = st.see(ctx, at, p.sameness); err != nil {
			return err
		}
	}
	blamed := -1
	if rec.Blamed != game.None {
		blamed = b2i(rec.Seat(1) == rec.Blamed)
	}
	r, err := st.game.ExecContext(ctx, p.run, rec.ID, stalled, at.a, at.b, rec.Round, rec.Pair, rec.Leg, rec.Index,
		rec.Winner(), string(rec.Source), rec.Outcome.Reason, blamed, len(rec.Moves), rec.Roles[0], rec.Roles[1],
		p.opening, p.sameness, b2i(fresh))
	if err != nil {
		return err
	}
	id, err := r.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := st.record.ExecContext(ctx, id, rec.Job.Start, int64(rec.Seed), rec.Opening, rec.Start, p.moves, p.plies,
		rec.Started.UnixMilli(), rec.Seconds, int64(rec.Idle[0]), int64(rec.Idle[1]), p.rest); err != nil {
		return err
	}
	if stalled == 1 {
		run.stalled++
		return nil
	}
	run.games++
	return w.tables.count(ctx, st, at, p, fresh)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
