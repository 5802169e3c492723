package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

//go:embed schema1.sql
var schema1 string

// step leads from one schema to the next, within a transaction.
type step func(ctx context.Context, tx changer) error

// migrations lead from an empty database to the newest schema, one step each.
// A step that was released is never changed: a new one is added.
var migrations = []step{script(schema1), toSchema2, toSchema3}

// toSchema3 lets games.stalled count: it is the number of the attempt at its
// pair that was void with the game, 0 for a game that counts. Older programs
// know 0 and 1.
func toSchema3(context.Context, changer) error { return nil }

// script is a step that is SQL alone.
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
	// A table that is replaced must not take with it the rows that refer to it.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been first.
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

// schemaVersion is the database's, 0 for an empty one. A database that is not
// Thera's, or is newer than this program, is refused.
func schemaVersion(ctx context.Context, q querier, newest int) (int, error) {
	// In one statement, which sees one moment: another program may be making
	// the database.
	var id, version, tables int
	if err := q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables); err != nil {
		return 0, err
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fmt.Errorf("%w: another program made it (application id %#x); it was left as it is", ErrForeign, id)
	case version > newest:
		return 0, fmt.Errorf("%w: it has schema %d, this program knows up to %d; use the newer thera that wrote it", ErrForeign, version, newest)
	}
	return version, nil
}
