package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"

	"thera/arena"
)

// page is the number of games read in one transaction. A slow reader, such as a
// pager, must not delay the checkpoints of the log.
const page = 500

// Games returns a run's games in job order. With all, it includes those that do not count: of
// each game the void attempts in their order, then those that were excluded, and then the one that
// counts. In place of a damaged game it yields a *Damage and continues; any other error is the last.
func (s *Store) Games(ctx context.Context, run int64, all bool) iter.Seq2[*arena.Game, error] {
	return func(yield func(*arena.Game, error) bool) {
		var raw *rawRun
		var ids []int64
		err := s.read(ctx, func(tx *sql.Tx) (err error) {
			if raw, err = readRun(ctx, tx, run); err == nil {
				ids, err = raw.list(ctx, tx, all)
			}
			return err
		})
		if err != nil {
			yield(nil, err)
			return
		}
		for part := range slices.Chunk(ids, page) {
			records, errs, err := s.page(ctx, raw, part)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range records {
				if !yield(records[i], s.fault(errs[i])) {
					return
				}
			}
		}
		lost := &Damage{Run: raw.name}
		if lost.count(len(ids), raw.games); all {
			lost.count(len(ids), raw.games+raw.aside)
		}
		if err := lost.err(); err != nil {
			yield(nil, s.fault(err))
		}
	}
}

// list returns the numbers of a run's games in the order of Games.
func (r *rawRun) list(ctx context.Context, tx *sql.Tx, all bool) ([]int64, error) {
	ids := make([]int64, 0, r.games)
	seen := make(map[int64]bool, r.games)
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		if !seen[id] { // a damaged index can lead to a game twice
			seen[id] = true
			ids = append(ids, id)
		}
		return err
	}, `SELECT id FROM games INDEXED BY games_run WHERE run = ? AND (? OR status NOT IN ('void', 'excluded'))
		ORDER BY round, place, pair, leg, `+byStatus+`, id`, r.id, all)
	return ids, err
}

// byStatus is the order of the games of one identity.
const byStatus = "status = 'counted', status = 'excluded', attempt"

// page reads games by number. errs has the errors of damaged games.
func (s *Store) page(ctx context.Context, run *rawRun, ids []int64) (records []*arena.Game, errs []error, err error) {
	records, errs = make([]*arena.Game, len(ids)), make([]error, len(ids))
	err = s.read(ctx, func(tx *sql.Tx) error {
		stmt, err := tx.PrepareContext(ctx, recordQuery("g.id = ?"))
		if err != nil {
			return err
		}
		defer stmt.Close()
		r := newRecordReader(run)
		for i, id := range ids {
			records[i], errs[i] = r.read(stmt.QueryRowContext(ctx, id))
			if errors.Is(errs[i], sql.ErrNoRows) {
				err := tx.QueryRowContext(ctx, "SELECT id FROM runs WHERE id = ?", run.id).Scan(new(int64))
				if errors.Is(err, sql.ErrNoRows) {
					err = fmt.Errorf("%w run: %s was deleted while it was read", ErrUnknown, run.name)
				}
				if err != nil {
					return err
				}
				errs[i] = damaged(run.name, fmt.Sprintf("#%d", id), errors.New("it is gone"))
			}
			if errs[i] != nil && !errors.Is(errs[i], ErrDamaged) {
				return errs[i]
			}
		}
		return nil
	})
	return records, errs, err
}

// recordReader reads whole games of one run.
type recordReader struct {
	*rowReader
	run  string
	json []byte
}

func recordQuery(where string) string {
	return selectRows("LEFT JOIN records r ON r.game = g.id WHERE "+where, "json")
}

func newRecordReader(run *rawRun) *recordReader {
	r := &recordReader{run: run.name}
	r.rowReader = newRowReader(run, &r.json)
	return r
}

// read reads a game. If it is damaged, the error is a *Damage.
func (r *recordReader) read(found *sql.Row) (*arena.Game, error) {
	bad, err := r.scan(found)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) || !isDamage(err) {
			return nil, err
		}
		bad = err
	}
	var rec *arena.Game
	switch {
	case bad != nil:
	case len(r.json) == 0:
		bad = errors.New("its moves are gone")
	default:
		rec, bad = unpack(r.json)
		if bad == nil && (rec.ID != r.game.ID || rec.Pairing != r.game.Pairing) {
			bad = fmt.Errorf("its moves are those of %s", rec.ID)
		}
	}
	if bad != nil {
		return nil, damaged(r.run, r.game.ID, bad)
	}
	rec.Status, rec.Attempt = r.game.Status, r.game.Attempt
	if r.turned() {
		rec.Pairing[0], rec.Pairing[1] = rec.Pairing[1], rec.Pairing[0]
		rec.Leg = 1 - rec.Leg
	}
	return rec, nil
}

// Record returns the game of a run with that identity that counts.
func (s *Store) Record(ctx context.Context, run int64, id string) (rec *arena.Game, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		raw, err := readRun(ctx, tx, run)
		if err != nil {
			return err
		}
		rec, err = newRecordReader(raw).read(tx.QueryRowContext(ctx, recordQuery("g.run = ? AND g.identity = ? AND g.status = 'counted'"), run, id))
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w game %q of run %s", ErrUnknown, id, raw.name)
		}
		return err
	})
	return rec, err
}

// Stored is Record, and nil if there is no such game.
func (s *Store) Stored(ctx context.Context, run int64, id string) (*arena.Game, error) {
	rec, err := s.Record(ctx, run, id)
	if errors.Is(err, ErrUnknown) {
		return nil, nil
	}
	return rec, err
}

// Game returns the game of any run whose identity is word or begins with it. It
// returns the one that counts, or the first void one if none counts, or the first that was
// excluded.
func (s *Store) Game(ctx context.Context, word string) (rec *arena.Game, info arena.RunInfo, err error) {
	if word == "" {
		return nil, info, fmt.Errorf("%w game: no identity given (see thera games)", ErrUnknown)
	}
	err = s.read(ctx, func(tx *sql.Tx) error {
		var id, in []int64
		var found []string
		err := eachRow(ctx, tx, func(rows *sql.Rows) error {
			id, in, found = append(id, 0), append(in, 0), append(found, "")
			last := len(found) - 1
			return rows.Scan(&id[last], &in[last], &found[last])
		}, `SELECT id, run, identity FROM games g WHERE run IN (SELECT id FROM runs)
			AND identity >= ?1 AND identity < ?1 || char(0x10ffff)
			AND id = (SELECT id FROM games WHERE run = g.run AND identity = g.identity ORDER BY status <> 'counted', `+byStatus+` LIMIT 1)
			ORDER BY identity = ?1 DESC, id DESC LIMIT 2`, word)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return fmt.Errorf("%w game %q (see thera games)", ErrUnknown, word)
		case len(found) == 2 && found[0] != word && found[0] != found[1]:
			return fmt.Errorf("several games begin with %q: %s, %s … (give more of it)", word, found[0], found[1])
		}
		run, err := readRun(ctx, tx, in[0])
		if err != nil {
			return err
		}
		if rec, err = newRecordReader(run).read(tx.QueryRowContext(ctx, recordQuery("g.id = ?"), id[0])); err != nil {
			return err
		}
		info, err = s.info(run, nil)
		return err
	})
	return rec, info, err
}
