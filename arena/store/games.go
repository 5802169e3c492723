package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"thera/arena"
)

// ofRun are the games of a run in job order, and those of one job in the order in which they were
// played. They are mostly stored in this order, so that a scan is quick.
const ofRun = "INDEXED BY games_jobs WHERE run = ? ORDER BY round, place, pair, leg, id"

// Load reads a run without the moves of its games, all at one moment: the
// engines of its plan, its games in job order, including those of engines that
// left the plan, and those that do not count. The error names damaged games;
// the others are returned nevertheless.
func (s *Store) Load(ctx context.Context, id int64) (info arena.RunInfo, engines []arena.EngineSpec, games []arena.Game, err error) {
	err = s.readRun(ctx, id, func(tx *sql.Tx, r *run) error {
		info, engines = s.info(r), r.Engines[:r.Planned]
		games, err = s.bare(ctx, tx, r)
		return err
	})
	return info, engines, games, err
}

// Finished returns the games that Load returns.
func (s *Store) Finished(ctx context.Context, id int64) ([]arena.Game, error) {
	_, _, games, err := s.Load(ctx, id)
	return games, err
}

// Engines returns the run's engines in the plan's order, then those that left the
// plan.
func (s *Store) Engines(ctx context.Context, id int64) (engines []arena.EngineSpec, err error) {
	err = s.readRun(ctx, id, func(_ *sql.Tx, r *run) error {
		engines = r.Engines
		return nil
	})
	return engines, err
}

// A run of more games than longRun is read in parts.
var longRun = 10_000

// bare returns the games of a run, which tx has read, in job order. A long run is read by
// several connections at a time.
func (s *Store) bare(ctx context.Context, tx *sql.Tx, of *run) ([]arena.Game, error) {
	readers := []*sql.Tx{tx}
	n := of.games + of.aside
	for n > longRun && len(readers) < min(runtime.GOMAXPROCS(0), mostReads) {
		other, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		defer other.Rollback()
		now, err := countsOf(ctx, other, of.id)
		if err != nil {
			return nil, err
		}
		// Every commit of games raises one of these numbers. One that came meanwhile is not seen by tx.
		if now.games != of.games || now.aside != of.aside {
			break
		}
		readers = append(readers, other)
	}
	all := make([]arena.Game, n)
	type part struct {
		games  []arena.Game
		ids    []int64
		damage Damage
		err    error
	}
	parts := make([]part, len(readers))
	var reading sync.WaitGroup
	for i, tx := range readers {
		first, end := n*i/len(readers), n*(i+1)/len(readers)
		p, most := &parts[i], end-first
		if p.games = all[first:first:end]; i == len(readers)-1 {
			most = -1 // all others: there should be none
		}
		reading.Go(func() {
			p.err = eachGame(ctx, tx, of, &p.damage, func(r *rowReader) {
				p.games, p.ids = append(p.games, *r.turn(&r.game)), append(p.ids, r.id)
			}, ofRun+" LIMIT ? OFFSET ?", of.id, most, first)
		})
	}
	reading.Wait()
	damage := &Damage{Run: of.name}
	all = all[:0]
	var ids []int64
	for _, p := range parts {
		if p.err != nil {
			return nil, p.err
		}
		all, ids = append(all, p.games...), append(ids, p.ids...)
		damage.Games = append(damage.Games, p.damage.Games...)
	}
	slices.Sort(ids) // a damaged index can lead to a game twice and miss others
	damage.Lost = n - len(slices.Compact(ids)) - len(damage.Games)
	return all, damage.err()
}

// Games returns a run's games in job order. With all, it includes those that do not count: of
// each game, what was set aside before the one that counts. In place of a damaged game it yields
// a *Damage and continues; any other error is the last.
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
		// Each game is read by itself: a slow reader, such as a pager, must not delay the
		// checkpoints of the log.
		stmt, err := s.reads.PrepareContext(ctx, selectGame+"id = ?")
		if err != nil {
			yield(nil, s.fault(err))
			return
		}
		defer stmt.Close()
		for _, game := range ids {
			g, err := readGame(stmt.QueryRowContext(ctx, game), of)
			if errors.Is(err, sql.ErrNoRows) {
				if _, err := countsOf(ctx, s.reads, id); err != nil { // the run was deleted
					yield(nil, s.fault(err))
					return
				}
				err = &Damage{of.name, []damagedGame{{fmt.Sprintf("#%d", game), errors.New("it is gone")}}, 0}
			}
			if !yield(g, s.fault(err)) || err != nil && !errors.Is(err, ErrDamaged) {
				return
			}
		}
		want := of.games
		if all {
			want += of.aside
		}
		if lost := want - len(ids); lost != 0 {
			yield(nil, s.fault(&Damage{Run: of.name, Lost: lost}))
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
		if !seen[id] && (all || !known) { // a damaged index can lead to a game twice
			ids = append(ids, id)
		}
		seen[id] = true
		return err
	}, "SELECT id, status FROM games "+ofRun, of.id)
	return ids, err
}

const selectGame = "SELECT id, " + columns + ", json FROM games LEFT JOIN records ON game = id WHERE "

// readGame reads a whole game. If it is damaged, the error is a *Damage.
func readGame(found *sql.Row, of *run) (*arena.Game, error) {
	var packed []byte
	r := newRowReader(of, &packed)
	bad, err := r.read(found)
	if err != nil && kindOf(err) != ErrDamaged {
		return nil, err
	}
	var g *arena.Game
	if bad = cmp.Or(bad, err); bad == nil {
		g, bad = unpack(packed)
	}
	if bad == nil && (g.ID != r.game.ID || g.Pairing != r.game.Pairing) {
		bad = fmt.Errorf("its moves are those of %s", g.ID)
	}
	if bad != nil {
		return nil, &Damage{Run: of.name, Games: []damagedGame{{r.game.ID, bad}}}
	}
	g.Status, g.Attempt = r.game.Status, r.game.Attempt
	return r.turn(g), nil
}

// Record returns the game of a run with that identity that counts.
func (s *Store) Record(ctx context.Context, id int64, identity string) (g *arena.Game, err error) {
	err = s.readRun(ctx, id, func(tx *sql.Tx, r *run) error {
		g, err = readGame(tx.QueryRowContext(ctx, selectGame+"run = ? AND identity = ? AND status = 'counted'", id, identity), r)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w game %q of run %s", ErrUnknown, identity, r.name)
		}
		return err
	})
	return g, err
}

// Stored is Record, and nil if there is no such game.
func (s *Store) Stored(ctx context.Context, id int64, identity string) (*arena.Game, error) {
	g, err := s.Record(ctx, id, identity)
	if errors.Is(err, ErrUnknown) {
		return nil, nil
	}
	return g, err
}

// Game returns the game of any run whose identity is word or begins with it: the one that counts
// in the latest run, or else the first that was set aside.
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
		g, err = readGame(tx.QueryRowContext(ctx, selectGame+"id = ?", id), r)
		return err
	})
	return g, info, err
}

// Openings counts a run's games that count by start position and returns up to most of the
// positions, the most played first.
func (s *Store) Openings(ctx context.Context, id int64, most int) (rows []arena.OpeningRow, err error) {
	err = s.readRun(ctx, id, func(tx *sql.Tx, r *run) error {
		var examples []int64
		err := eachRow(ctx, tx, func(found *sql.Rows) error {
			var id int64
			var o arena.OpeningRow
			err := found.Scan(&id, &o.Games[0], &o.Games[1], &o.Games[2], &o.Plies)
			rows, examples = append(rows, o), append(examples, id)
			return err
		}, `SELECT min(id), sum(winner = 1), sum(winner = 0), sum(winner = 2), sum(plies) FROM games
			WHERE run = ? AND status = 'counted' GROUP BY opening ORDER BY count(*) DESC, min(place) LIMIT ?`, id, most)
		for i, id := range examples {
			if err != nil {
				break
			}
			var g *arena.Game
			if g, err = readGame(tx.QueryRowContext(ctx, selectGame+"id = ?", id), r); err == nil {
				rows[i].Start = g.Start
			}
		}
		return err
	})
	return rows, err
}
