package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"strings"

	"thera/arena"
)

//go:embed schema2.sql
var schema2 string

// toSchema2 packs the figures of all games and adds the checksums of all runs.
func toSchema2(ctx context.Context, tx changer) error {
	if err := packGames(ctx, tx, "games_2"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `
		DROP TABLE games;
		ALTER TABLE games_2 RENAME TO games;
		CREATE UNIQUE INDEX games_identity ON games(run, identity, stalled);
		CREATE INDEX games_run ON games(run); -- in the order of the file: a scan is quick
		DROP TABLE tallies;
		DROP TABLE ends;
		DROP TABLE warnings;
		DROP TABLE seen;
		ALTER TABLE runs ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
		ALTER TABLE runs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0`); err != nil {
		return err
	}
	return sealAll(ctx, tx)
}

// overlaySchema2 creates the tables of schema 2 as temporary tables of a
// connection that cannot write the database. They hide those of schema 1, since
// SQLite looks for a table among the temporary ones first.
func overlaySchema2(ctx context.Context, conn changer) error {
	if err := packGames(ctx, conn, "temp.games_2"); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `
		ALTER TABLE temp.games_2 RENAME TO games;
		CREATE UNIQUE INDEX temp.games_identity ON games(run, identity, stalled);
		CREATE INDEX temp.games_run ON games(run);
		CREATE TEMP TABLE runs AS SELECT *, 0 AS head, 0 AS sum FROM main.runs`); err != nil {
		return err
	}
	return sealAll(ctx, conn)
}

// packGames creates a table with that name from the games of schema 1.
func packGames(ctx context.Context, tx changer, name string) error {
	if _, err := tx.ExecContext(ctx, strings.Replace(schema2, "TABLE games", "TABLE "+name, 1)); err != nil {
		return err
	}
	for last, n := int64(0), page; n == page; {
		rows, err := games1(ctx, tx, last)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if _, err := tx.ExecContext(ctx, "INSERT INTO "+name+" (id, run, identity, stalled, figures) VALUES (?, ?, ?, ?, ?)",
				r.id, r.run, r.identity, r.stalled, r.figures); err != nil {
				return err
			}
			last = r.id
		}
		n = len(rows)
	}
	return nil
}

type packed struct {
	id, run  int64
	identity string
	stalled  int
	figures  []byte
}

// games1 returns up to page games of schema 1 after the game with that number. A
// game that cannot be read gets empty figures, which mark it as damaged.
func games1(ctx context.Context, q querier, after int64) ([]packed, error) {
	var out []packed
	err := eachRow(ctx, q, func(rows *sql.Rows) error {
		var p packed
		var body nullBody
		var a, b int64
		var winner, blamed int
		rec := &arena.Record{}
		if err := rows.Scan(append([]any{
			&p.id, &p.run, &p.identity, &p.stalled, &a, &b, &rec.Round, &rec.Pair, &rec.Leg, &rec.Index, &winner,
			&rec.Source, &rec.Outcome.Reason, &blamed, &rec.Roles[0], &rec.Roles[1],
		}, body.columns()...)...); err != nil {
			return err
		}
		p.figures = []byte{}
		if at, err := body.get(); err == nil && at.into(rec) == nil {
			if winner >= 0 {
				rec.Outcome.Winner = rec.Seat(winner)
			}
			if blamed >= 0 {
				rec.Blamed = rec.Seat(blamed)
			}
			rec.ID, rec.Void = p.identity, p.stalled
			p.figures = packFigures(rec, [2]int64{a, b}, p.run, at.sum())
		}
		out = append(out, p)
		return nil
	}, `SELECT g.id, g.run, g.identity, g.stalled, g.a, g.b, g.round, g.pair, g.leg, g.place, g.winner,
		g.source, g.reason, g.blamed, g.role1, g.role2, `+bodyColumns+` FROM main.games g LEFT JOIN records r ON r.game = g.id
		WHERE g.id > ? ORDER BY g.id LIMIT ?`, after, page)
	return out, err
}

// sealAll adds the checksums of all runs, which schema 1 did not have.
func sealAll(ctx context.Context, tx changer) error {
	runs, err := readRaw(ctx, tx, "", nil)
	if err != nil {
		return err
	}
	for i := range runs {
		if err := runs[i].write(ctx, tx); err != nil {
			return fmt.Errorf("run %s: %w", runs[i].name, err)
		}
	}
	return nil
}

// changer is a transaction or a connection.
type changer interface {
	querier
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}
