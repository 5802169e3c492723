package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"thera/arena"
)

// Void stores a game that stalled and sets aside what is there of its pair,
// given by identities: nothing is deleted, and none of it counts. Either all of
// that is done or nothing.
func (s *Store) Void(ctx context.Context, run int64, stalled *arena.Record, pair []string) error {
	return s.await(ctx, task{change: func(ctx context.Context, w *writer) error {
		if err := w.refresh(ctx); err != nil {
			return err
		}
		attempt, err := w.setAside(ctx, run, pair)
		if err != nil {
			return err
		}
		rec := *stalled
		rec.Void = attempt
		p, err := pack(run, &rec)
		if err != nil {
			return err
		}
		if err := w.put(ctx, p); err != nil {
			return fmt.Errorf("game %s: %w", rec.ID, err)
		}
		return w.count(ctx)
	}})
}

// setAside moves the games of a pair that count to a new attempt that is void,
// and returns its number.
func (w *writer) setAside(ctx context.Context, id int64, pair []string) (attempt int, err error) {
	run, err := w.run(ctx, id)
	if err != nil {
		return 0, err
	}
	args := []any{id}
	for _, identity := range pair {
		args = append(args, identity)
	}
	among := " WHERE run = ? AND identity IN (?" + strings.Repeat(", ?", len(pair)-1) + ")"
	if err := w.conn.QueryRowContext(ctx, "SELECT max(coalesce(max(stalled), 0), 0) + 1 FROM games"+among, args...).Scan(&attempt); err != nil {
		return 0, err
	}
	rows, err := w.conn.QueryContext(ctx, "SELECT id, identity, figures FROM games"+among+" AND stalled = 0", args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	type game struct {
		id      int64
		figures []byte
	}
	var games []game
	for rows.Next() {
		var g game
		var identity string
		if err := rows.Scan(&g.id, &identity, &g.figures); err != nil {
			return 0, err
		}
		g.figures = resum(g.figures, id, []byte(identity), attempt)
		games = append(games, g)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, g := range games {
		if _, err := w.conn.ExecContext(ctx, "UPDATE games SET stalled = ?, figures = ? WHERE id = ?", attempt, g.figures, g.id); err != nil {
			return 0, err
		}
		run.added[0]--
		run.added[1]++
	}
	return attempt, nil
}

// resum replaces the checksum of a game that counted. One that is damaged stays
// so.
func resum(figures []byte, run int64, identity []byte, void int) []byte {
	if len(figures) < 4 {
		return figures
	}
	b, tail := figures[:len(figures)-4], figures[len(figures)-4:]
	if figuresSum(b, run, identity, 0) != binary.LittleEndian.Uint32(tail) {
		return figures
	}
	return binary.LittleEndian.AppendUint32(b[:len(b):len(b)], figuresSum(b, run, identity, void))
}
