package store

import (
	"context"
	"database/sql"
)

// statements are the writer's, prepared once on its connection.
type statements struct {
	version, have, engines, tally, partner *sql.Stmt
	game, record, seen                     *sql.Stmt
	runCount, setTally, end, warning       *sql.Stmt
	all                                    []*sql.Stmt
}

func prepare(ctx context.Context, conn *sql.Conn) (*statements, error) {
	st := &statements{}
	for _, s := range []struct {
		into **sql.Stmt
		text string
	}{
		{&st.version, "PRAGMA data_version"},
		{&st.have, "SELECT count(*) FROM games WHERE run = ? AND identity = ? AND stalled = ?"},
		{&st.engines, "SELECT id, name FROM engines WHERE run = ?"},
		{&st.tally, "SELECT round, tally FROM tallies WHERE a = ? AND b = ? AND leg = ? AND role1 = ? AND role2 = ?"},
		{&st.partner, "SELECT winner, sameness, fresh, round, role1, role2 FROM games WHERE a = ? AND b = ? AND pair = ? AND leg = ? AND stalled = 0 LIMIT 1"},
		{&st.game, `INSERT INTO games (run, identity, stalled, a, b, round, pair, leg, place, winner, source, reason, blamed, plies,
			role1, role2, opening, sameness, fresh) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&st.record, `INSERT INTO records (game, number, seed, opening, start, moves, plies, started, seconds, idle1, idle2, rest)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&st.seen, "INSERT OR IGNORE INTO seen (a, b, hash) VALUES (?, ?, ?)"},
		{&st.runCount, "UPDATE runs SET games = games + ?, stalled = stalled + ?, changed = ? WHERE id = ?"},
		{&st.setTally, `INSERT INTO tallies (a, b, leg, role1, role2, round, tally) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET round = excluded.round, tally = excluded.tally`},
		{&st.end, `INSERT INTO ends (a, b, source, blamed, winner, reason, games, example) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET games = games + excluded.games`},
		{&st.warning, `INSERT INTO warnings (a, b, kind, count, example) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET count = count + excluded.count`},
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

// see remembers a hash of the pairing and says whether it is new.
func (st *statements) see(ctx context.Context, at pairing, hash int64) (fresh bool, err error) {
	r, err := st.seen.ExecContext(ctx, at.a, at.b, hash)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

func (st *statements) close() {
	for _, s := range st.all {
		s.Close()
	}
}
