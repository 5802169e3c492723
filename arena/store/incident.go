package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"thera/arena"
)

// Incident keeps what happened with a worker and returns when it is durable. About an
// audit it keeps nothing twice.
func (s *Store) Incident(ctx context.Context, run int64, i arena.Incident) error {
	return s.do(ctx, func(ctx context.Context, w *writer) error {
		once := strings.HasPrefix(string(i.Kind), "audit ")
		_, err := w.conn.ExecContext(ctx, `INSERT INTO incidents (run, time, worker, kind, game, text) SELECT ?1, ?2, ?3, ?4, ?5, ?6
			WHERE NOT ?7 OR NOT EXISTS (SELECT 1 FROM incidents WHERE run = ?1 AND game = ?5 AND worker = ?3 AND kind = ?4)`,
			run, i.Time.UnixMilli(), i.Worker, string(i.Kind), i.Game, i.Text, once)
		return err
	})
}

// Incidents returns what happened with workers in a run, the oldest first.
func (s *Store) Incidents(ctx context.Context, run int64) (list []arena.Incident, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var i arena.Incident
			var at int64
			err := rows.Scan(&at, &i.Worker, &i.Kind, &i.Game, &i.Text)
			i.Time = time.UnixMilli(at)
			list = append(list, i)
			return err
		}, "SELECT time, worker, kind, game, text FROM incidents WHERE run = ? ORDER BY id", run)
	})
	return list, err
}
