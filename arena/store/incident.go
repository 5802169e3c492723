package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"thera/arena"
)

// Incident keeps what happened with a worker and returns when it is durable. About an
// audit it keeps nothing twice.
func (s *Store) Incident(ctx context.Context, run int64, i arena.Incident) error {
	return s.do(ctx, func(ctx context.Context, conn *sql.Conn) error {
		at := i.Time.UnixMilli()
		once := strings.HasPrefix(string(i.Kind), "audit ")
		_, err := conn.ExecContext(ctx, `INSERT INTO incidents (run, time, worker, kind, game, text, sum) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
			WHERE NOT ?8 OR NOT EXISTS (SELECT 1 FROM incidents WHERE run = ?1 AND game = ?5 AND worker = ?3 AND kind = ?4)`,
			run, at, i.Worker, string(i.Kind), i.Game, i.Text, incidentSum(run, at, &i), once)
		return err
	})
}

func incidentSum(run, at int64, i *arena.Incident) int64 {
	return sumOf(run, at, i.Worker, string(i.Kind), i.Game, i.Text)
}

// Incidents returns what happened with workers in a run, the oldest first.
func (s *Store) Incidents(ctx context.Context, run int64) (list []arena.Incident, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var i arena.Incident
			var at, sum int64
			if err := rows.Scan(&at, &i.Worker, &i.Kind, &i.Game, &i.Text, &sum); err != nil {
				return err
			}
			if sum != incidentSum(run, at, &i) {
				return fmt.Errorf("%w: what is known about worker %q of run %d: %w", ErrDamaged, i.Worker, run, errChecksum)
			}
			i.Time = time.UnixMilli(at)
			list = append(list, i)
			return nil
		}, "SELECT time, worker, kind, game, text, sum FROM incidents WHERE run = ? ORDER BY id", run)
	})
	return list, err
}
