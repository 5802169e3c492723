package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

var readOnly = &sql.TxOptions{ReadOnly: true}

const recordColumns = `SELECT g.identity, ea.name, eb.name, g.round, g.pair, g.leg, g.place, g.winner, g.source, g.reason, g.blamed,
	g.role1, g.role2, r.number, r.seed, r.opening, r.start, r.moves, r.plies, r.started, r.seconds, r.idle1, r.idle2, r.rest, g.run, ea.place > eb.place
	FROM games g JOIN records r ON r.game = g.id JOIN engines ea ON ea.id = g.a JOIN engines eb ON eb.id = g.b `

// page is how many games are read at a time: a reader that is slow (a pipe to
// a pager) must not hold back the log's checkpoints.
const page = 500

// Games walks a run's games in job order; with all, records of games that were
// replayed because of the machine as well, before their replay.
func (s *Store) Games(ctx context.Context, run int64, all bool) iter.Seq2[*arena.Record, error] {
	return func(yield func(*arena.Record, error) bool) {
		ids, err := s.order(ctx, run, all)
		for len(ids) > 0 && err == nil {
			n := min(page, len(ids))
			var records []*arena.Record
			if records, err = s.records(ctx, ids[:n]); err != nil {
				break
			}
			for _, r := range records {
				if r != nil && !yield(r, nil) {
					return
				}
			}
			ids = ids[n:]
		}
		if err != nil {
			yield(nil, s.fault(err))
		}
	}
}

// order are the numbers of a run's games in job order.
func (s *Store) order(ctx context.Context, run int64, all bool) ([]int64, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id FROM games WHERE run = ? AND stalled <= ?
		ORDER BY round, place, pair, leg, stalled DESC, id`, run, b2i(all))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// records reads games by number, in that order; nil for one that is gone.
func (s *Store) records(ctx context.Context, ids []int64) ([]*arena.Record, error) {
	stmt, err := s.reads.PrepareContext(ctx, recordColumns+"WHERE g.id = ?")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	records := make([]*arena.Record, len(ids))
	for i, id := range ids {
		rec, _, err := scanRecord(stmt.QueryRowContext(ctx, id).Scan)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err == nil {
			records[i] = rec
		}
	}
	return records, nil
}

// Game is the game whose identity is word or begins with it, in any run; of a
// game that was replayed, the replay.
func (s *Store) Game(ctx context.Context, word string) (*arena.Record, arena.RunInfo, error) {
	var none arena.RunInfo
	if word == "" {
		return nil, none, fmt.Errorf("%w game: no identity given (see thera games)", ErrUnknown)
	}
	rows, err := s.reads.QueryContext(ctx, recordColumns+`WHERE g.run IN (SELECT id FROM runs) AND g.identity >= ?1 AND g.identity < ?1 || char(0x10ffff)
		AND g.stalled = 0 ORDER BY g.identity = ?1 DESC, g.id DESC LIMIT 2`, word)
	if err != nil {
		return nil, none, s.fault(err)
	}
	defer rows.Close()
	var found []*arena.Record
	var runs []int64
	for rows.Next() {
		rec, run, err := scanRecord(rows.Scan)
		if err != nil {
			return nil, none, s.fault(err)
		}
		found, runs = append(found, rec), append(runs, run)
	}
	if err := rows.Err(); err != nil {
		return nil, none, s.fault(err)
	}
	switch {
	case len(found) == 0:
		return nil, none, fmt.Errorf("database %s: %w game %q (see thera games)", s.path, ErrUnknown, word)
	case len(found) == 2 && found[0].ID != word && found[0].ID != found[1].ID:
		return nil, none, fmt.Errorf("database %s: %q begins several games: %s, %s … (give more of it)", s.path, word, found[0].ID, found[1].ID)
	}
	run, err := readRun(ctx, s.reads, "id = ?", runs[0])
	return found[0], run, s.fault(err)
}

func scanRecord(scan func(...any) error) (*arena.Record, int64, error) {
	rec := &arena.Record{}
	var winner, blamed int
	var run, seed, started int64
	var moves string
	var plies []byte
	var isTurned bool
	var restText sql.NullString
	if err := scan(&rec.ID, &rec.Pairing[0], &rec.Pairing[1], &rec.Round, &rec.Pair, &rec.Leg, &rec.Index, &winner, &rec.Source,
		&rec.Outcome.Reason, &blamed, &rec.Roles[0], &rec.Roles[1], &rec.Job.Start, &seed, &rec.Opening, &rec.Start, &moves, &plies,
		&started, &rec.Seconds, &rec.Idle[0], &rec.Idle[1], &restText, &run, &isTurned); err != nil {
		return nil, 0, err
	}
	rec.Seed = uint64(seed)
	rec.Started = time.UnixMilli(started)
	if winner >= 0 {
		rec.Outcome.Winner = rec.Seat(winner)
	}
	if blamed >= 0 {
		rec.Blamed = rec.Seat(blamed)
	}
	if moves != "" {
		rec.Moves = strings.Split(moves, "\n")
	}
	var err error
	if rec.Plies, err = unpackPlies(plies); err != nil {
		return nil, 0, fmt.Errorf("%w: game %s: %w", ErrDamaged, rec.ID, err)
	}
	if restText.Valid {
		var r rest
		if err := json.Unmarshal([]byte(restText.String), &r); err != nil {
			return nil, 0, fmt.Errorf("%w: game %s: %w", ErrDamaged, rec.ID, err)
		}
		r.into(rec)
	}
	if isTurned {
		rec = turned(rec)
	}
	return rec, run, nil
}

func (r *rest) into(rec *arena.Record) {
	if r.Points != nil {
		rec.Outcome.Points = *r.Points
	}
	if r.Fault != nil {
		rec.Fault = &game.Fault{Kind: r.Fault.Kind, Detail: r.Fault.Detail}
	}
	if r.Tail != nil {
		rec.Tail = *r.Tail
	}
	if r.Stderr != nil {
		rec.Stderr = *r.Stderr
	}
	rec.Detail, rec.Warnings, rec.Passed = r.Detail, r.Warnings, r.Passed
}
