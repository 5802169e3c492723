package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

var (
	//go:embed schema1.sql
	schema1 string
	//go:embed schema4.sql
	schema4 string
)

// step changes one schema to the next within a transaction.
type step func(ctx context.Context, tx changer) error

// migrations are the steps from an empty database to the newest schema. Never
// change a released step; add a new one.
var migrations = []step{script(schema1), toSchema2, toSchema3, script(schema4)}

// toSchema3 lets games.stalled count: it is the number of the attempt at its
// pair that was void with the game, 0 for a game that counts. Older programs
// know 0 and 1.
func toSchema3(context.Context, changer) error { return nil }

// script returns a step that executes SQL.
func script(text string) step {
	return func(ctx context.Context, tx changer) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	}
}

// applicationID marks a database as Thera's ("Thra").
const applicationID = 0x54687261

// migrate brings the database to the newest schema, all steps or none.
func migrate(ctx context.Context, conn *sql.Conn, steps []step) (err error) {
	version, err := schemaVersion(ctx, conn, len(steps))
	if err != nil || version == len(steps) {
		return err
	}
	// Replacing a table must not delete the rows that refer to it.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have migrated it meanwhile.
	if version, err = schemaVersion(ctx, tx, len(steps)); err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		if err := steps[version](ctx, tx); err != nil {
			return fmt.Errorf("schema step %d: %w", version+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "PRAGMA foreign_keys = ON")
	return err
}

// schemaVersion returns the version of the database, 0 if it is empty. It refuses
// a database of another program or of a newer version of this one.
func schemaVersion(ctx context.Context, q querier, newest int) (int, error) {
	// Use one statement, which sees one moment, because another program may be
	// creating the database.
	var id, version, tables int
	if err := q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables); err != nil {
		return 0, err
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fmt.Errorf("%w: another program made it (application id %#x); it was not changed", errForeign, id)
	case version > newest:
		return 0, fmt.Errorf("%w: it has schema %d, this program knows up to %d; use the newer thera that wrote it", errForeign, version, newest)
	}
	return version, nil
}
