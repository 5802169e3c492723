package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"

	"thera/arena"
)

// ofRun selects the games of a run: first those that do not count, then the others, each in job
// order.
const ofRun = "INDEXED BY games_jobs WHERE run = ? ORDER BY status DESC, round, place, pair, leg, id"

// Load calls take with a run and its games without their moves, as they are at one moment. These
// include games of engines that left the plan. Games that do not count come first. take can read
// the games once, and only while it runs. It gets no damaged games; Load returns an error that
// names them, or the error of take.
func (s *Store) Load(ctx context.Context, id int64, take func(arena.RunInfo, iter.Seq[*arena.Game]) error) error {
	return s.readRun(ctx, id, func(tx *sql.Tx, r *run) error {
		damage, ids, order := &Damage{Run: r.Name}, []int64(nil), newRowReader(r)
		var failed error
		games := func(yield func(*arena.Game) bool) {
			whole := true
			failed = eachGame(ctx, tx, r, damage, func(found *row, g *arena.Game) bool {
				ids = append(ids, found.id)
				whole = yield(order.turn(g))
				return whole
			}, ofRun, r.ID)
			if whole {
				slices.Sort(ids) // a damaged index can list a game twice and miss others
				damage.Lost = r.Games + r.aside - len(slices.Compact(ids)) - len(damage.Games)
			}
		}
		err := take(s.info(r), games)
		return cmp.Or(failed, err, damage.err())
	})
}

// Finished returns the games that Load reads. It also returns them if others are damaged.
func (s *Store) Finished(ctx context.Context, id int64) (list []arena.Game, err error) {
	err = s.Load(ctx, id, func(_ arena.RunInfo, games iter.Seq[*arena.Game]) error {
		for g := range games {
			list = append(list, *g)
		}
		return nil
	})
	return list, err
}

// Games returns a run's games in job order. If all is set, it includes games that do not count.
// They come before the one with the same identity that counts. For a damaged game it yields a
// *Damage and continues. Any other error is the last.
func (s *Store) Games(ctx context.Context, id int64, all bool) iter.Seq2[*arena.Game, error] {
	return func(yield func(*arena.Game, error) bool) {
		var of *run
		var ids []int64
		err := s.readRun(ctx, id, func(tx *sql.Tx, r *run) (err error) {
			of = r
			ids, err = listGames(ctx, tx, r, all)
			return err
		})
		if err != nil {
			yield(nil, err)
			return
		}
		// Each game is read alone, because a slow reader, such as a pager, must not delay the
		// checkpoints of the log.
		stmt, err := s.reads.PrepareContext(ctx, selectGame+"id = ?")
		if err != nil {
			yield(nil, s.fault(err))
			return
		}
		defer stmt.Close()
		damage := &Damage{Run: of.Name}
		for _, game := range ids {
			g, err := of.readGame(stmt.QueryContext(ctx, game))
			if errors.Is(err, sql.ErrNoRows) {
				if _, err := countsOf(ctx, s.reads, id); err != nil { // an error if the run was deleted
					yield(nil, s.fault(err))
					return
				}
				damage.add(fmt.Sprintf("#%d", game), errors.New("it is gone"))
				continue
			}
			if bad, damaged := errors.AsType[*Damage](err); damaged {
				damage.Games = append(damage.Games, bad.Games...)
			} else if !yield(g, s.fault(err)) || err != nil {
				return
			}
		}
		want := of.Games
		if all {
			want += of.aside
		}
		damage.Lost = want - len(ids)
		if err := damage.err(); err != nil {
			yield(nil, s.fault(err))
		}
	}
}

// listGames returns the numbers of a run's games in the order of Games.
func listGames(ctx context.Context, tx *sql.Tx, of *run, all bool) (ids []int64, err error) {
	seen := map[int64]bool{}
	err = eachRow(ctx, tx, func(rows *sql.Rows) error {
		var id int64
		var status arena.Status
		err := rows.Scan(&id, &status)
		known := status == arena.StatusVoid || status == arena.StatusExcluded
		if !seen[id] && (all || !known) { // a damaged index can list a game twice
			ids = append(ids, id)
		}
		seen[id] = true
		return err
	}, "SELECT id, status FROM games WHERE run = ? ORDER BY round, place, pair, leg, id", of.ID)
	return ids, err
}

const selectGame = "SELECT id, " + columns + ", json FROM games LEFT JOIN records ON game = id WHERE "

// readGame returns the whole game that selectGame found. The error is a *Damage if it is damaged.
func (r *run) readGame(found *sql.Rows, err error) (*arena.Game, error) {
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var (
		packed []byte
		from   row
		bad    error
	)
	if found.Next() {
		bad = found.Scan(from.into(&packed)...)
	} else if bad = cmp.Or(found.Err(), sql.ErrNoRows); kindOf(bad) != ErrDamaged {
		return nil, bad
	}
	read := newRowReader(r)
	var g *arena.Game
	var known arena.Game
	if bad == nil {
		bad = read.game(&from, &known)
	}
	if bad == nil {
		g, bad = unpack(packed)
	}
	if bad == nil && (g.ID != known.ID || g.Pairing != known.Pairing) {
		bad = fmt.Errorf("its moves are those of %s", g.ID)
	}
	if bad != nil {
		return nil, &Damage{Run: r.Name, Games: []damagedGame{{from.identity, bad}}}
	}
	g.Status, g.Attempt = known.Status, known.Attempt
	return read.turn(g), nil
}

// Stored returns the game of a run with that identity that counts, nil if there is none.
func (s *Store) Stored(ctx context.Context, id int64, identity string) (g *arena.Game, err error) {
	err = s.readRun(ctx, id, func(tx *sql.Tx, r *run) error {
		g, err = r.readGame(tx.QueryContext(ctx, selectGame+"run = ? AND identity = ? AND status = 'counted'", id, identity))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return g, err
}

// Game returns a game of any run by its identity or the beginning of it: the one that counts in the
// latest run, otherwise the first that does not count.
func (s *Store) Game(ctx context.Context, word string) (g *arena.Game, info arena.RunInfo, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		var found []string
		err := eachRow(ctx, tx, func(rows *sql.Rows) error {
			found = append(found, "")
			return rows.Scan(&found[len(found)-1])
		}, `SELECT DISTINCT identity FROM games WHERE run IN (SELECT id FROM runs) AND identity >= ?1 AND identity < ?1 || char(0x10ffff)
			ORDER BY identity = ?1 DESC LIMIT 2`, word)
		switch {
		case err != nil:
			return err
		case len(found) == 0 || word == "":
			return fmt.Errorf("%w game %q (see thera games)", ErrUnknown, word)
		case len(found) == 2 && found[0] != word:
			return fmt.Errorf("several games begin with %q: %s, %s … (give more of it)", word, found[0], found[1])
		}
		var id, of int64
		if err := tx.QueryRowContext(ctx, `SELECT id, run FROM games WHERE run IN (SELECT id FROM runs) AND identity = ?
			ORDER BY status = 'counted' DESC, run DESC, id LIMIT 1`, found[0]).Scan(&id, &of); err != nil {
			return err
		}
		r, err := readRun(ctx, tx, of)
		if err != nil {
			return err
		}
		info = s.info(r)
		g, err = r.readGame(tx.QueryContext(ctx, selectGame+"id = ?", id))
		return err
	})
	return g, info, err
}
