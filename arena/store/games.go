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

// page is how many games are read at a time: a reader that is slow (a pipe to
// a pager) must not hold back the log's checkpoints.
const page = 500

// Games walks a run's games in job order; with all, games of void attempts as
// well, the attempts in their order and before the one that counts. A damaged game
// is an error in its place, a *Damage, behind which the walk may go on; after
// any other error it is over.
func (s *Store) Games(ctx context.Context, run int64, all bool) iter.Seq2[*arena.Record, error] {
	return func(yield func(*arena.Record, error) bool) {
		w, err := s.walk(ctx, run, all)
		if err != nil {
			yield(nil, s.fault(err))
			return
		}
		for games := range slices.Chunk(w.games, page) {
			records, errs, err := s.page(ctx, w, games)
			if err != nil {
				yield(nil, s.fault(err))
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
	rest  error // that more games should be there
}

type gamePlace struct {
	id, stalled             int64
	round, index, pair, leg int
}

func (x gamePlace) compare(y gamePlace) int {
	return cmp.Or(cmp.Compare(x.round, y.round), cmp.Compare(x.index, y.index), cmp.Compare(x.pair, y.pair),
		cmp.Compare(x.leg, y.leg), cmp.Compare(uint64(x.stalled-1), uint64(y.stalled-1)), cmp.Compare(x.id, y.id))
}

// walk lists a run's games; those whose place is damaged come last.
func (s *Store) walk(ctx context.Context, run int64, all bool) (*walk, error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	raw, err := readRun(ctx, tx, run)
	if err != nil {
		return nil, err
	}
	w := &walk{run: raw, u: newUnpacker(raw)}
	rows, err := tx.QueryContext(ctx, "SELECT id, stalled, identity, figures FROM games INDEXED BY games_run WHERE run = ?", run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var f figures
	var identity, packed sql.RawBytes
	seen := make(map[int64]bool, raw.games)
	lost := &Damage{Run: raw.name, Lost: raw.games + raw.stalled}
	for rows.Next() {
		var at gamePlace
		if err := rows.Scan(&at.id, &at.stalled, &identity, &packed); err != nil {
			return nil, err
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
		w.rest = err // what was found is read first
	}
	return w, nil
}

// page reads games by number, each with its error where it is damaged.
func (s *Store) page(ctx context.Context, w *walk, games []gamePlace) ([]*arena.Record, []error, error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	stmt, err := tx.PrepareContext(ctx, recordQuery+"g.id = ?")
	if err != nil {
		return nil, nil, err
	}
	defer stmt.Close()
	records, errs := make([]*arena.Record, len(games)), make([]error, len(games))
	for i, at := range games {
		records[i], errs[i] = w.u.record(w.run.name, stmt.QueryRowContext(ctx, at.id))
		if errors.Is(errs[i], sql.ErrNoRows) {
			err := tx.QueryRowContext(ctx, "SELECT id FROM runs WHERE id = ?", w.run.id).Scan(new(int64))
			if errors.Is(err, sql.ErrNoRows) {
				err = fmt.Errorf("%w run: %s was deleted while it was read", ErrUnknown, w.run.name)
			}
			if err != nil {
				return nil, nil, err
			}
			errs[i] = damaged(w.run.name, fmt.Sprintf("#%d", at.id), errors.New("it is gone"))
		}
		if errs[i] != nil && !errors.Is(errs[i], ErrDamaged) {
			return nil, nil, errs[i]
		}
	}
	return records, errs, nil
}

const recordQuery = "SELECT g.identity, g.stalled, g.figures, " + bodyColumns + " FROM games g LEFT JOIN records r ON r.game = g.id WHERE "

// record is a game of the unpacker's run; the error of one that is damaged is a
// *Damage.
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

// Game is the game whose identity is word or begins with it, in any run: the
// one that counts, or if there is none the first that is void.
func (s *Store) Game(ctx context.Context, word string) (*arena.Record, arena.RunInfo, error) {
	var none arena.RunInfo
	if word == "" {
		return nil, none, fmt.Errorf("%w game: no identity given (see thera games)", ErrUnknown)
	}
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, none, s.fault(err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, run, identity FROM games g WHERE run IN (SELECT id FROM runs)
		AND identity >= ?1 AND identity < ?1 || char(0x10ffff)
		AND stalled = (SELECT min(stalled) FROM games WHERE run = g.run AND identity = g.identity) ORDER BY identity = ?1 DESC, id DESC LIMIT 2`, word)
	if err != nil {
		return nil, none, s.fault(err)
	}
	defer rows.Close()
	var found []gameKey
	for rows.Next() {
		var k gameKey
		if err := rows.Scan(&k.id, &k.run, &k.identity); err != nil {
			return nil, none, s.fault(err)
		}
		found = append(found, k)
	}
	if err := rows.Err(); err != nil {
		return nil, none, s.fault(err)
	}
	switch {
	case len(found) == 0:
		return nil, none, fmt.Errorf("database %s: %w game %q (see thera games)", s.path, ErrUnknown, word)
	case len(found) == 2 && found[0].identity != word && found[0].identity != found[1].identity:
		return nil, none, fmt.Errorf("database %s: %q begins several games: %s, %s … (give more of it)", s.path, word, found[0].identity, found[1].identity)
	}
	run, err := readRun(ctx, tx, found[0].run)
	if err != nil {
		return nil, none, s.fault(err)
	}
	rec, err := newUnpacker(run).record(run.name, tx.QueryRowContext(ctx, recordQuery+"g.id = ?", found[0].id))
	if err != nil {
		return nil, none, s.fault(err)
	}
	info, err := s.info(run, nil)
	return rec, info, s.fault(err)
}

type gameKey struct {
	id, run  int64
	identity string
}
