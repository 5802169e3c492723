package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"thera/arena"
)

// Load reads all of a run but its games' moves, as one moment saw it: the
// engines of its plan, its games in job order, those of engines that left the
// plan and void ones as well. Damaged games are in the error, which
// names them; the others are returned all the same.
func (s *Store) Load(ctx context.Context, run int64) (info arena.RunInfo, engines []arena.EngineSpec, done []arena.Finished, err error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return info, nil, nil, s.fault(err)
	}
	defer tx.Rollback()
	raw, err := readRun(ctx, tx, run)
	if info, err = s.info(raw, err); err != nil {
		return info, nil, nil, s.fault(err)
	}
	if engines, err = raw.specs(false); err != nil {
		return info, nil, nil, s.fault(err)
	}
	done, err = readFinished(ctx, tx, raw)
	return info, engines, done, s.fault(err)
}

// Finished are the games that Load reads.
func (s *Store) Finished(ctx context.Context, run int64) ([]arena.Finished, error) {
	_, _, done, err := s.Load(ctx, run)
	return done, err
}

// Engines are the run's in the plan's order, those that left the plan but have
// games behind the others.
func (s *Store) Engines(ctx context.Context, run int64) ([]arena.EngineSpec, error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, s.fault(err)
	}
	defer tx.Rollback()
	raw, err := readRun(ctx, tx, run)
	if err != nil {
		return nil, s.fault(err)
	}
	engines, err := raw.specs(true)
	return engines, s.fault(err)
}

func readFinished(ctx context.Context, q querier, run *rawRun) ([]arena.Finished, error) {
	// By this index games are read in the order of the file; by that of
	// identities each would be read from another page.
	rows, err := q.QueryContext(ctx, "SELECT identity, stalled, figures FROM games INDEXED BY games_run WHERE run = ?", run.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	done := make([]arena.Finished, 0, run.games)
	damage := &Damage{Run: run.name}
	u := newUnpacker(run)
	var f figures
	var identity, packed sql.RawBytes
	var void int
	for rows.Next() {
		if err := rows.Scan(&identity, &void, &packed); err != nil {
			return nil, err
		}
		if err := u.unpack(&f, identity, void, packed); err != nil {
			damage.add(string(identity), err)
			continue
		}
		if f.Source != arena.Faulted {
			f.Blamed = -1
		}
		done = append(done, f.Finished)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	sortJobs(done)
	// A damaged index leads to one game twice, and past others.
	for i := 1; i < len(done); i++ {
		if done[i].ID == done[i-1].ID && done[i].Void == done[i-1].Void {
			damage.add(done[i].ID, errors.New("it is there twice"))
		}
	}
	damage.count(len(done), run.games+run.stalled)
	return done, damage.err()
}

// byJob compares by place in job order.
func byJob(x, y *arena.Finished) int {
	return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Index, y.Index), cmp.Compare(x.Pair, y.Pair),
		cmp.Compare(x.Leg, y.Leg), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Void, y.Void))
}

// sortJobs sorts games by place in job order. They are large and mostly in
// order: their places are sorted, then each game is moved once.
func sortJobs(done []arena.Finished) {
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

func newUnpacker(run *rawRun) *unpacker {
	u := &unpacker{run: run.id, names: map[int64]placed{}, texts: map[string]string{}}
	for _, e := range run.engines {
		u.names[e.id] = placed{e.name, e.place}
	}
	return u
}

// Openings counts a run's games by start position, the most played first.
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
		if f.Void > 0 {
			continue
		}
		o := byHash[f.Opening]
		if o == nil {
			o = &counted{example: f.ID}
			byHash[f.Opening] = o
			order = append(order, o)
		}
		o.games++
		o.Plies += int64(f.Plies)
		switch f.Winner {
		case f.Leg: // the first seat's
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
		if o.Start, err = s.start(ctx, run, o.example); err != nil {
			return nil, s.fault(err)
		}
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

// start is where the game of that identity began.
func (s *Store) start(ctx context.Context, run int64, identity string) (string, error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	raw, err := readRun(ctx, tx, run)
	if err != nil {
		return "", err
	}
	rec, err := newUnpacker(raw).record(raw.name, tx.QueryRowContext(ctx,
		recordQuery+"g.run = ? AND g.identity = ? AND g.stalled = 0", run, identity))
	if err != nil {
		return "", err
	}
	return rec.Start, nil
}
