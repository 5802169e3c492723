package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"runtime"
	"slices"
	"sync"

	"thera/arena"
)

// ofRun are the games of a run. This index reads games in the order of the file. The index of
// identities would read each one from another page.
const ofRun = "INDEXED BY games_run WHERE g.run = ?"

// Load reads a run without the moves of its games, all at one moment: the
// engines of its plan, its games in job order, including those of engines that
// left the plan, and those that do not count. The error names damaged games;
// the others are returned nevertheless.
func (s *Store) Load(ctx context.Context, run int64) (info arena.RunInfo, engines []arena.EngineSpec, games []arena.Game, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		r, err := readRun(ctx, tx, run)
		if err != nil {
			return err
		}
		info, engines = s.info(r), r.specs(false)
		games, err = s.bare(ctx, tx, r)
		return err
	})
	return info, engines, games, err
}

// Finished returns the games that Load returns.
func (s *Store) Finished(ctx context.Context, run int64) ([]arena.Game, error) {
	_, _, games, err := s.Load(ctx, run)
	return games, err
}

// Engines returns the run's engines in the plan's order, then those that left the
// plan but have games.
func (s *Store) Engines(ctx context.Context, run int64) (engines []arena.EngineSpec, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		r, err := readRun(ctx, tx, run)
		if err == nil {
			engines = r.specs(true)
		}
		return err
	})
	return engines, err
}

// eachGame calls do with the rows of a query, and notes the damaged ones.
func eachGame(ctx context.Context, q querier, of *run, damage *Damage, do func(*rowReader), rest string, args ...any) error {
	r := newRowReader(of)
	return eachRow(ctx, q, func(rows *sql.Rows) error {
		bad, err := r.read(rows)
		switch {
		case err != nil:
			return err
		case bad != nil:
			damage.add(r.game.ID, bad)
		default:
			do(r)
		}
		return nil
	}, selectRows(rest), args...)
}

// A run of more games than longRun is read in parts.
var longRun = 10_000

// bare returns the games of a run, which tx has read, in job order. A long run is read by
// several connections at a time.
func (s *Store) bare(ctx context.Context, tx *sql.Tx, of *run) ([]arena.Game, error) {
	readers := []*sql.Tx{tx}
	n := of.games + of.aside
	if n > longRun && s.parts.TryLock() { // one at a time: two could wait for each other's connections
		defer s.parts.Unlock()
		for range min(runtime.GOMAXPROCS(0), mostReads) - 1 {
			other, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
			if err != nil {
				return nil, err
			}
			defer other.Rollback()
			now, err := readRun(ctx, other, of.id)
			if err != nil {
				return nil, err
			}
			// Every commit of games raises one of these numbers. One that came meanwhile is not seen by tx.
			if now.games != of.games || now.aside != of.aside {
				break
			}
			readers = append(readers, other)
		}
	}
	all := make([]arena.Game, n)
	parts := make([]struct {
		games  []arena.Game
		damage Damage
		err    error
	}, len(readers))
	var reading sync.WaitGroup
	for i, tx := range readers {
		first, end := n*i/len(readers), n*(i+1)/len(readers)
		p, size := &parts[i], end-first
		if p.games = all[first:first:end]; i == len(readers)-1 {
			size = -1 // all others: there should be none
		}
		reading.Go(func() {
			p.err = eachGame(ctx, tx, of, &p.damage, func(r *rowReader) { p.games = append(p.games, *r.bare()) },
				ofRun+" LIMIT ? OFFSET ?", of.id, size, first)
		})
	}
	reading.Wait()
	damage := &Damage{Run: of.name}
	all = all[:0]
	for _, p := range parts {
		if p.err != nil {
			return nil, p.err
		}
		all = append(all, p.games...)
		damage.Games = append(damage.Games, p.damage.Games...)
	}
	sortJobs(all)
	// A damaged index can lead to a game twice and miss others.
	for i := 1; i < len(all); i++ {
		if x, y := &all[i-1], &all[i]; x.ID == y.ID && x.Status == y.Status && x.Attempt == y.Attempt {
			damage.add(y.ID, errors.New("it was found twice"))
		}
	}
	damage.count(len(all), n)
	return all, damage.err()
}

// byJob compares places in job order.
func byJob(x, y *arena.Game) int {
	if x.Round != y.Round || x.Index != y.Index { // nearly always
		return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Index, y.Index))
	}
	return cmp.Or(cmp.Compare(x.Pair, y.Pair), cmp.Compare(x.Leg, y.Leg), cmp.Compare(x.ID, y.ID),
		cmp.Compare(x.Status, y.Status), cmp.Compare(x.Attempt, y.Attempt))
}

// sortJobs sorts games in job order. They are large, so it sorts their indexes and then moves
// each game once.
func sortJobs(games []arena.Game) {
	from := make([]int, len(games))
	for i := range from {
		from[i] = i
	}
	slices.SortFunc(from, func(x, y int) int { return byJob(&games[x], &games[y]) })
	for i := range from {
		first := games[i]
		at := i
		for from[at] != i {
			next := from[at]
			games[at], from[at] = games[next], at
			at = next
		}
		if at != i {
			games[at], from[at] = first, at
		}
	}
}

// Openings counts a run's games that count by start position and returns up to most of the
// positions, the most played first.
func (s *Store) Openings(ctx context.Context, run int64, most int) (rows []arena.OpeningRow, err error) {
	var examples []string
	err = s.read(ctx, func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(found *sql.Rows) error {
			var id string
			var o arena.OpeningRow
			err := found.Scan(&id, &o.Games[0], &o.Games[1], &o.Games[2], &o.Plies)
			rows, examples = append(rows, o), append(examples, id)
			return err
		}, `SELECT min(identity), sum(winner = 1), sum(winner = 0), sum(winner = 2), sum(plies) FROM games
			WHERE run = ? AND status = 'counted' GROUP BY opening ORDER BY count(*) DESC, min(id) LIMIT ?`, run, most)
	})
	for i := 0; err == nil && i < len(rows); i++ {
		var g *arena.Game
		if g, err = s.Record(ctx, run, examples[i]); err == nil {
			rows[i].Start = g.Start
		}
	}
	slices.SortStableFunc(rows, func(x, y arena.OpeningRow) int {
		total := func(o arena.OpeningRow) int { return o.Games[0] + o.Games[1] + o.Games[2] }
		return cmp.Or(cmp.Compare(total(y), total(x)), cmp.Compare(x.Start, y.Start))
	})
	return rows, err
}
