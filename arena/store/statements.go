package store

import (
	"context"
	"database/sql"
)

// statements are the prepared statements of the writer's connection.
type statements struct {
	version, game, record, counts, count *sql.Stmt
	all                                  []*sql.Stmt
}

func prepare(ctx context.Context, conn *sql.Conn) (*statements, error) {
	st := &statements{}
	for _, s := range []struct {
		into **sql.Stmt
		text string
	}{
		{&st.version, "PRAGMA data_version"},
		{&st.game, "INSERT INTO games (run, identity, stalled, figures) VALUES (?, ?, ?, ?) ON CONFLICT (run, identity, stalled) DO NOTHING"},
		{&st.record, `INSERT INTO records (game, number, seed, opening, start, moves, plies, started, seconds, idle1, idle2, rest)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&st.counts, "SELECT head, changed, games, stalled, sum FROM runs WHERE id = ?"},
		{&st.count, "UPDATE runs SET changed = ?, games = ?, stalled = ?, sum = ? WHERE id = ?"},
	} {
		stmt, err := conn.PrepareContext(ctx, s.text)
		if err != nil {
			st.close()
			return nil, err
		}
		*s.into = stmt
		st.all = append(st.all, stmt)
	}
	return st, nil
}

func (st *statements) close() {
	for _, s := range st.all {
		s.Close()
	}
}
