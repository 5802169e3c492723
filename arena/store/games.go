package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"thera/arena"
	"thera/engine/game"
)

// page is the number of games read in one transaction. A slow reader, such as a
// pager, must not delay the checkpoints of the log.
const page = 500

// Games returns a run's games in job order. With all, it includes games of void
// attempts, in the order of the attempts, then those that were set aside, and then the
// game that counts. In place of a
// damaged game it yields a *Damage and continues; any other error is the last.
func (s *Store) Games(ctx context.Context, run int64, all bool) iter.Seq2[*arena.Record, error] {
	return func(yield func(*arena.Record, error) bool) {
		w, err := s.walk(ctx, run, all)
		if err != nil {
			yield(nil, err)
			return
		}
		for games := range slices.Chunk(w.games, page) {
			records, errs, err := s.page(ctx, w, games)
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
		if w.rest != nil {
			yield(nil, s.fault(w.rest))
		}
	}
}

// walk is the order in which a run's games are read.
type walk struct {
	run   *rawRun
	u     *unpacker
	games []gamePlace
	rest  error // yielded last: games are missing
}

type gamePlace struct {
	id, stalled             int64
	round, index, pair, leg int
}

func (x gamePlace) compare(y gamePlace) int {
	return cmp.Or(cmp.Compare(x.round, y.round), cmp.Compare(x.index, y.index), cmp.Compare(x.pair, y.pair),
		cmp.Compare(x.leg, y.leg), cmp.Compare(uint64(x.stalled-1), uint64(y.stalled-1)), cmp.Compare(x.id, y.id))
}

// walk lists a run's games. Games whose place cannot be read come last.
func (s *Store) walk(ctx context.Context, run int64, all bool) (w *walk, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		raw, err := readRun(ctx, tx, run)
		if err != nil {
			return err
		}
		w = &walk{run: raw, u: newUnpacker(raw)}
		return w.list(ctx, tx, all)
	})
	return w, err
}

func (w *walk) list(ctx context.Context, tx *sql.Tx, all bool) error {
	rows, err := tx.QueryContext(ctx, "SELECT id, stalled, identity, figures FROM games INDEXED BY games_run WHERE run = ?", w.run.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	var f figures
	var identity, packed sql.RawBytes
	seen := make(map[int64]bool, w.run.games)
	lost := &Damage{Run: w.run.name, Lost: w.run.games + w.run.stalled}
	for rows.Next() {
		var at gamePlace
		if err := rows.Scan(&at.id, &at.stalled, &identity, &packed); err != nil {
			return err
		}
		if seen[at.id] { // a damaged index
			continue
		}
		seen[at.id] = true
		lost.Lost--
		if err := w.u.unpack(&f, identity, int(at.stalled), packed); err != nil {
			at.round = math.MaxInt
		} else {
			at.round, at.index, at.pair, at.leg = f.Round, f.Index, f.Pair, f.Leg
		}
		if all || at.stalled == 0 || at.round == math.MaxInt { // whether a damaged one counts is not known
			w.games = append(w.games, at)
		}
	}
	slices.SortFunc(w.games, gamePlace.compare)
	w.rest = lost.err()
	if err := rows.Err(); err != nil {
		w.rest = err // after the games that were found
	}
	return nil
}

// page reads games by number. errs has the errors of damaged games.
func (s *Store) page(ctx context.Context, w *walk, games []gamePlace) (records []*arena.Record, errs []error, err error) {
	records, errs = make([]*arena.Record, len(games)), make([]error, len(games))
	err = s.read(ctx, func(tx *sql.Tx) error {
		stmt, err := tx.PrepareContext(ctx, recordQuery+"g.id = ?")
		if err != nil {
			return err
		}
		defer stmt.Close()
		for i, at := range games {
			records[i], errs[i] = w.u.record(w.run.name, stmt.QueryRowContext(ctx, at.id))
			if errors.Is(errs[i], sql.ErrNoRows) {
				err := tx.QueryRowContext(ctx, "SELECT id FROM runs WHERE id = ?", w.run.id).Scan(new(int64))
				if errors.Is(err, sql.ErrNoRows) {
					err = fmt.Errorf("%w run: %s was deleted while it was read", ErrUnknown, w.run.name)
				}
				if err != nil {
					return err
				}
				errs[i] = damaged(w.run.name, fmt.Sprintf("#%d", at.id), errors.New("it is gone"))
			}
			if errs[i] != nil && !errors.Is(errs[i], ErrDamaged) {
				return errs[i]
			}
		}
		return nil
	})
	return records, errs, err
}

const recordQuery = "SELECT g.identity, g.stalled, g.figures, " + bodyColumns + " FROM games g LEFT JOIN records r ON r.game = g.id WHERE "

// record reads a game of the unpacker's run. If the game is damaged, the error is
// a *Damage.
func (u *unpacker) record(run string, row *sql.Row) (*arena.Record, error) {
	var f figures
	var identity string
	var packed []byte
	var void int
	var null nullBody
	if err := row.Scan(append([]any{&identity, &void, &packed}, null.columns()...)...); err != nil {
		if errors.Is(err, sql.ErrNoRows) || !isDamage(err) {
			return nil, err
		}
		return nil, damaged(run, identity, err)
	}
	if err := u.unpack(&f, []byte(identity), void, packed); err != nil {
		return nil, damaged(run, identity, err)
	}
	b, err := null.get()
	if err == nil && b.sum() != f.record {
		err = errChecksum
	}
	if err != nil {
		return nil, damaged(run, identity, err)
	}
	rec := &arena.Record{
		Job:  arena.Job{ID: f.ID, Pairing: f.Pairing, Round: f.Round, Pair: f.Pair, Leg: f.Leg, Index: f.Index},
		Void: void, Source: f.Source, Roles: f.Roles, Outcome: game.Outcome{Reason: f.Reason},
	}
	if f.Winner >= 0 {
		rec.Outcome.Winner = rec.Seat(f.Winner)
	}
	if f.Blamed >= 0 {
		rec.Blamed = rec.Seat(f.Blamed)
	}
	if err := b.into(rec); err != nil {
		return nil, damaged(run, identity, err)
	}
	return rec, nil
}

// Record returns the game of a run with that identity that counts.
func (s *Store) Record(ctx context.Context, run int64, id string) (rec *arena.Record, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		raw, err := readRun(ctx, tx, run)
		if err != nil {
			return err
		}
		rec, err = newUnpacker(raw).record(raw.name, tx.QueryRowContext(ctx, recordQuery+"g.run = ? AND g.identity = ? AND g.stalled = 0", run, id))
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w game %q of run %s", ErrUnknown, id, raw.name)
		}
		return err
	})
	return rec, err
}

// Stored is Record, and nil if there is no such game.
func (s *Store) Stored(ctx context.Context, run int64, id string) (*arena.Record, error) {
	rec, err := s.Record(ctx, run, id)
	if errors.Is(err, ErrUnknown) {
		return nil, nil
	}
	return rec, err
}

// Game returns the game of any run whose identity is word or begins with it. It
// returns the one that counts, or the first void one if none counts, or the first that was
// set aside.
func (s *Store) Game(ctx context.Context, word string) (rec *arena.Record, info arena.RunInfo, err error) {
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
			AND stalled = (SELECT stalled FROM games WHERE run = g.run AND identity = g.identity ORDER BY stalled < 0, abs(stalled) LIMIT 1) ORDER BY identity = ?1 DESC, id DESC LIMIT 2`, word)
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
		if rec, err = newUnpacker(run).record(run.name, tx.QueryRowContext(ctx, recordQuery+"g.id = ?", id[0])); err != nil {
			return err
		}
		info, err = s.info(run, nil)
		return err
	})
	return rec, info, err
}
