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
func (s *Store) Load(ctx context.Context, run int64) (info arena.RunInfo, engines []arena.EngineSpec, done []arena.Game, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		raw, err := readRun(ctx, tx, run)
		if info, err = s.info(raw, err); err != nil {
			return err
		}
		if engines, err = raw.specs(false); err != nil {
			return err
		}
		done, err = s.readFinished(ctx, tx, raw)
		return err
	})
	return info, engines, done, err
}

// Finished returns the games that Load returns.
func (s *Store) Finished(ctx context.Context, run int64) ([]arena.Game, error) {
	_, _, done, err := s.Load(ctx, run)
	return done, err
}

// Engines returns the run's engines in the plan's order, then those that left the
// plan but have games.
func (s *Store) Engines(ctx context.Context, run int64) (engines []arena.EngineSpec, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		raw, err := readRun(ctx, tx, run)
		if err == nil {
			engines, err = raw.specs(true)
		}
		return err
	})
	return engines, err
}

// eachGame calls do with the rows of a query, and notes the damaged ones.
func eachGame(ctx context.Context, q querier, run *rawRun, damage *Damage, do func(*rowReader), rest string, args ...any) error {
	r := newRowReader(run)
	return eachRow(ctx, q, func(rows *sql.Rows) error {
		bad, err := r.scan(rows)
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

// readRows reads rows of games of a run.
func readRows(ctx context.Context, q querier, run *rawRun, rest string, args ...any) (games []row, err error) {
	damage := &Damage{Run: run.name}
	err = eachGame(ctx, q, run, damage, func(r *rowReader) { games = append(games, r.row) }, rest, args...)
	if err == nil {
		err = damage.err()
	}
	return games, err
}

// readFinished returns the games of a run, which tx has read. A long run is read in parts at
// a time.
func (s *Store) readFinished(ctx context.Context, tx *sql.Tx, run *rawRun) ([]arena.Game, error) {
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM games g "+ofRun, run.id).Scan(&n); err != nil {
		return nil, err
	}
	readers := []*sql.Tx{tx}
	if n > longRun && s.parts.TryLock() { // one at a time: two could wait for each other's connections
		defer s.parts.Unlock()
		for range min(runtime.GOMAXPROCS(0), mostReads) - 1 {
			other, err := s.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
			if err != nil {
				return nil, err
			}
			defer other.Rollback()
			now, err := readRun(ctx, other, run.id)
			if err != nil {
				return nil, err
			}
			// Every commit of games raises one of these numbers. One that came meanwhile is not seen by tx.
			if now.games != run.games || now.aside != run.aside {
				break
			}
			readers = append(readers, other)
		}
	}
	done := make([]arena.Game, n)
	parts := make([]part, len(readers))
	var reading sync.WaitGroup
	for i, tx := range readers {
		first, end := n*i/len(readers), n*(i+1)/len(readers)
		p := &parts[i]
		p.games = done[first:first:end]
		reading.Go(func() {
			p.err = eachGame(ctx, tx, run, &p.damage, func(r *rowReader) { p.games = append(p.games, r.finished()) },
				ofRun+" LIMIT ? OFFSET ?", run.id, end-first, first)
		})
	}
	reading.Wait()
	damage := &Damage{Run: run.name}
	done = done[:0]
	for _, p := range parts {
		if p.err != nil {
			return nil, p.err
		}
		done = append(done, p.games...)
		damage.Games = append(damage.Games, p.damage.Games...)
	}
	sortJobs(done)
	// A damaged index can lead to a game twice and miss others.
	for i := 1; i < len(done); i++ {
		if x, y := &done[i-1], &done[i]; x.ID == y.ID && x.Status == y.Status && x.Attempt == y.Attempt {
			damage.add(y.ID, errors.New("it was found twice"))
		}
	}
	damage.count(len(done), run.games+run.aside)
	return done, damage.err()
}

// part is some of the games of a run.
type part struct {
	games  []arena.Game
	damage Damage
	err    error
}

// A run of more games than longRun is read in parts.
const longRun = 10_000

// byJob compares places in job order.
func byJob(x, y *arena.Game) int {
	if x.Round != y.Round || x.Index != y.Index { // nearly always
		return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Index, y.Index))
	}
	return cmp.Or(cmp.Compare(x.Pair, y.Pair), cmp.Compare(x.Leg, y.Leg), cmp.Compare(x.ID, y.ID),
		cmp.Compare(x.Status, y.Status), cmp.Compare(x.Attempt, y.Attempt))
}

// sortJobs sorts games in job order. Games are large and mostly in order, so it
// sorts their indexes and then moves each game once.
func sortJobs(done []arena.Game) {
	from := make([]int32, len(done))
	for i := range from {
		from[i] = int32(i)
	}
	slices.SortFunc(from, func(x, y int32) int { return byJob(&done[x], &done[y]) })
	for i := range from {
		if int(from[i]) == i {
			continue
		}
		kept := done[i]
		for at := i; ; {
			next := int(from[at])
			from[at] = int32(at)
			if next == i {
				done[at] = kept
				break
			}
			done[at] = done[next]
			at = next
		}
	}
}

// Openings counts a run's games by start position and returns up to most of the
// positions, the most played first.
func (s *Store) Openings(ctx context.Context, run int64, most int) ([]arena.OpeningRow, error) {
	_, _, done, err := s.Load(ctx, run)
	if err != nil {
		return nil, err
	}
	type counted struct {
		arena.OpeningRow
		games   int
		example string
	}
	byHash := map[uint64]*counted{}
	var order []*counted
	for i := range done {
		f := &done[i]
		if !f.Status.Counts() {
			continue
		}
		o := byHash[f.StartHash]
		if o == nil {
			o = &counted{example: f.ID}
			byHash[f.StartHash] = o
			order = append(order, o)
		}
		o.games++
		o.Plies += int64(f.Turns)
		switch f.Winner() {
		case f.Leg: // the first seat won
			o.Games[0]++
		case 1 - f.Leg:
			o.Games[2]++
		default:
			o.Games[1]++
		}
	}
	slices.SortStableFunc(order, func(x, y *counted) int { return cmp.Compare(y.games, x.games) })
	order = order[:min(most, len(order))]
	for _, o := range order {
		rec, err := s.Record(ctx, run, o.example)
		if err != nil {
			return nil, err
		}
		o.Start = rec.Start
	}
	slices.SortStableFunc(order, func(x, y *counted) int {
		return cmp.Or(cmp.Compare(y.games, x.games), cmp.Compare(x.Start, y.Start))
	})
	rows := make([]arena.OpeningRow, len(order))
	for i, o := range order {
		rows[i] = o.OpeningRow
	}
	return rows, nil
}
