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

// byStatus is the order of the games of one identity.
const byStatus = "status = 'counted', status = 'excluded', attempt"

// Games returns a run's games in job order. With all, it includes those that do not count: of
// each game the void attempts in their order, then those that were excluded, and then the one that
// counts. In place of a damaged game it yields a *Damage and continues; any other error is the last.
func (s *Store) Games(ctx context.Context, run int64, all bool) iter.Seq2[*arena.Game, error] {
	return func(yield func(*arena.Game, error) bool) {
		r, ids, err := s.list(ctx, run, all)
		if err != nil {
			yield(nil, err)
			return
		}
		for part := range slices.Chunk(ids, page) {
			games, errs := make([]*arena.Game, len(part)), make([]error, len(part))
			err := s.read(ctx, func(tx *sql.Tx) error {
				if _, err := readRun(ctx, tx, run); err != nil { // it may have been deleted
					return err
				}
				stmt, err := tx.PrepareContext(ctx, selectGames("g.id = ?"))
				if err != nil {
					return err
				}
				defer stmt.Close()
				for i, id := range part {
					games[i], errs[i] = readGame(stmt.QueryRowContext(ctx, id), r)
					if errors.Is(errs[i], sql.ErrNoRows) {
						errs[i] = damaged(r.name, fmt.Sprintf("#%d", id), errors.New("it is gone"))
					}
					if errs[i] != nil && !errors.Is(errs[i], ErrDamaged) {
						return errs[i]
					}
				}
				return nil
			})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range games {
				if !yield(games[i], s.fault(errs[i])) {
					return
				}
			}
		}
		lost := &Damage{Run: r.name}
		if lost.count(len(ids), r.games); all {
			lost.count(len(ids), r.games+r.aside)
		}
		if err := lost.err(); err != nil {
			yield(nil, s.fault(err))
		}
	}
}

// list returns a run and the numbers of its games in the order of Games.
func (s *Store) list(ctx context.Context, run int64, all bool) (r *run, ids []int64, err error) {
	seen := map[int64]bool{}
	err = s.read(ctx, func(tx *sql.Tx) (err error) {
		if r, err = readRun(ctx, tx, run); err != nil {
			return err
		}
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var id int64
			err := rows.Scan(&id)
			if !seen[id] { // a damaged index can lead to a game twice
				seen[id] = true
				ids = append(ids, id)
			}
			return err
		}, `SELECT id FROM games INDEXED BY games_run WHERE run = ? AND (? OR status NOT IN ('void', 'excluded'))
			ORDER BY round, place, pair, leg, `+byStatus+`, id`, run, all)
	})
	return r, ids, err
}

// selectGames is a query of whole games.
func selectGames(where string) string {
	return selectRows("LEFT JOIN records r ON r.game = g.id WHERE "+where, "json")
}

// readGame reads a whole game. If it is damaged, the error is a *Damage.
func readGame(found *sql.Row, of *run) (*arena.Game, error) {
	var packed []byte
	r := newRowReader(of, &packed)
	bad, err := r.read(found)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) || !isDamage(err) {
			return nil, err
		}
		bad = err
	}
	var g *arena.Game
	if bad == nil {
		g, bad = unpack(packed)
	}
	if bad == nil && (g.ID != r.game.ID || g.Pairing != r.game.Pairing) {
		bad = fmt.Errorf("its moves are those of %s", g.ID)
	}
	if bad != nil {
		return nil, damaged(of.name, r.game.ID, bad)
	}
	g.Status, g.Attempt = r.game.Status, r.game.Attempt
	if r.turned() {
		g = g.Turned()
	}
	return g, nil
}

// Record returns the game of a run with that identity that counts.
func (s *Store) Record(ctx context.Context, run int64, id string) (g *arena.Game, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		r, err := readRun(ctx, tx, run)
		if err != nil {
			return err
		}
		g, err = readGame(tx.QueryRowContext(ctx, selectGames("g.run = ? AND g.identity = ? AND g.status = 'counted'"), run, id), r)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w game %q of run %s", ErrUnknown, id, r.name)
		}
		return err
	})
	return g, err
}

// Stored is Record, and nil if there is no such game.
func (s *Store) Stored(ctx context.Context, run int64, id string) (*arena.Game, error) {
	g, err := s.Record(ctx, run, id)
	if errors.Is(err, ErrUnknown) {
		return nil, nil
	}
	return g, err
}

// Game returns the game of any run whose identity is word or begins with it. It
// returns the one that counts, or the first void one if none counts, or the first that was
// excluded.
func (s *Store) Game(ctx context.Context, word string) (g *arena.Game, info arena.RunInfo, err error) {
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
		r, err := readRun(ctx, tx, in[0])
		if err != nil {
			return err
		}
		info = s.info(r)
		g, err = readGame(tx.QueryRowContext(ctx, selectGames("g.id = ?"), id[0]), r)
		return err
	})
	return g, info, err
}
