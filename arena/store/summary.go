package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"thera/arena"
)

// Summary reads a run's aggregates, as one moment saw them. It never reads
// games: its cost is that of the number of pairings and match-ups.
func (s *Store) Summary(ctx context.Context, run int64) (*arena.Summary, error) {
	tx, err := s.reads.BeginTx(ctx, readOnly)
	if err != nil {
		return nil, s.fault(err)
	}
	defer tx.Rollback()
	sum := &arena.Summary{}
	if sum.Run, err = readRun(ctx, tx, "id = ?", run); err != nil {
		return nil, s.fault(err)
	}
	if sum.Engines, err = readEngines(ctx, tx, run, ""); err != nil {
		return nil, s.fault(err)
	}
	if err := tx.QueryRowContext(ctx, "SELECT stalled FROM runs WHERE id = ?", run).Scan(&sum.Stalled); err != nil {
		return nil, s.fault(err)
	}
	for _, read := range []func(context.Context, querier, int64, *arena.Summary) error{readRows, readEnds, readWarnings} {
		if err := read(ctx, tx, run, sum); err != nil {
			return nil, s.fault(err)
		}
	}
	sortSummary(sum)
	return sum, nil
}

const ofRun = ` JOIN engines ea ON ea.id = t.a JOIN engines eb ON eb.id = t.b WHERE t.a IN (SELECT id FROM engines WHERE run = ?)`

func readRows(ctx context.Context, q querier, run int64, sum *arena.Summary) error {
	rows, err := q.QueryContext(ctx, "SELECT ea.name, eb.name, t.leg, t.role1, t.role2, t.round, t.tally FROM tallies t"+ofRun, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r arena.Row
		var text []byte
		if err := rows.Scan(&r.Pairing[0], &r.Pairing[1], &r.Leg, &r.Roles[0], &r.Roles[1], &r.Round, &text); err != nil {
			return err
		}
		if err := json.Unmarshal(text, &r.Tally); err != nil {
			return fmt.Errorf("%w: tally of %s - %s: %w", ErrDamaged, r.Pairing[0], r.Pairing[1], err)
		}
		sum.Rows = append(sum.Rows, r)
	}
	return rows.Err()
}

func readEnds(ctx context.Context, q querier, run int64, sum *arena.Summary) error {
	rows, err := q.QueryContext(ctx, "SELECT ea.name, eb.name, t.source, t.blamed, t.winner, t.reason, t.games, t.example FROM ends t"+ofRun, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e arena.End
		if err := rows.Scan(&e.Pairing[0], &e.Pairing[1], &e.Source, &e.Blamed, &e.Winner, &e.Reason, &e.Games, &e.Example); err != nil {
			return err
		}
		sum.Ends = append(sum.Ends, e)
	}
	return rows.Err()
}

func readWarnings(ctx context.Context, q querier, run int64, sum *arena.Summary) error {
	rows, err := q.QueryContext(ctx, "SELECT ea.name, eb.name, t.kind, t.count, t.example FROM warnings t"+ofRun, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var w arena.GameWarning
		if err := rows.Scan(&w.Pairing[0], &w.Pairing[1], &w.Kind, &w.Count, &w.Example); err != nil {
			return err
		}
		sum.GameWarnings = append(sum.GameWarnings, w)
	}
	return rows.Err()
}

// Openings counts a run's games by start position, the most played first. It
// reads the games: unlike Summary its cost grows with them.
func (s *Store) Openings(ctx context.Context, run int64, most int) ([]arena.OpeningRow, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT r.start, o.won, o.drawn, o.lost, o.plies FROM (
			SELECT min(id) AS example, count(*) AS games, sum(winner = leg) AS won, sum(winner < 0) AS drawn, sum(winner = 1 - leg) AS lost,
				sum(plies) AS plies FROM games WHERE run = ? AND stalled = 0 GROUP BY opening ORDER BY games DESC LIMIT ?
		) o JOIN records r ON r.game = o.example ORDER BY o.games DESC, r.start`, run, most)
	if err != nil {
		return nil, s.fault(err)
	}
	defer rows.Close()
	var out []arena.OpeningRow
	for rows.Next() {
		var o arena.OpeningRow
		if err := rows.Scan(&o.Start, &o.Games[0], &o.Games[1], &o.Games[2], &o.Plies); err != nil {
			return nil, s.fault(err)
		}
		out = append(out, o)
	}
	return out, s.fault(rows.Err())
}

// sortSummary orders and turns pairings as the plan's engines stand.
func sortSummary(sum *arena.Summary) {
	place := map[string]int{}
	for i, e := range sum.Engines {
		place[e.Name] = i
	}
	turn := func(p *[2]string) bool {
		if place[p[0]] <= place[p[1]] {
			return false
		}
		p[0], p[1] = p[1], p[0]
		return true
	}
	for i := range sum.Rows {
		if r := &sum.Rows[i]; turn(&r.Pairing) {
			r.Leg, r.Tally = 1-r.Leg, r.Tally.Swapped()
		}
	}
	for i := range sum.Ends {
		if e := &sum.Ends[i]; turn(&e.Pairing) {
			e.Blamed, e.Winner = otherPlace(e.Blamed), otherPlace(e.Winner)
		}
	}
	for i := range sum.GameWarnings {
		turn(&sum.GameWarnings[i].Pairing)
	}
	pairings := func(x, y [2]string) int {
		return cmp.Or(cmp.Compare(place[x[0]], place[y[0]]), cmp.Compare(place[x[1]], place[y[1]]))
	}
	slices.SortFunc(sum.Rows, func(x, y arena.Row) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Leg, y.Leg),
			cmp.Compare(x.Roles[0], y.Roles[0]), cmp.Compare(x.Roles[1], y.Roles[1]))
	})
	slices.SortFunc(sum.Ends, func(x, y arena.End) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Source, y.Source), cmp.Compare(x.Reason, y.Reason),
			cmp.Compare(x.Blamed, y.Blamed), cmp.Compare(x.Winner, y.Winner))
	})
	slices.SortFunc(sum.GameWarnings, func(x, y arena.GameWarning) int {
		return cmp.Or(pairings(x.Pairing, y.Pairing), cmp.Compare(x.Kind, y.Kind))
	})
}
