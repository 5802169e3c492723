package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

//go:embed schema1.sql
var schema1 string

// migrations lead from an empty database to the newest schema, one step each.
// A step that was released is never changed: a new one is added.
var migrations = []string{schema1}

// applicationID marks a database as Thera's ("Thra").
const applicationID = 0x54687261

// migrate brings the database to the newest schema, all steps or none.
func migrate(ctx context.Context, conn *sql.Conn, steps []string) error {
	version, err := schemaVersion(ctx, conn, len(steps))
	if err != nil || version == len(steps) {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have been first.
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		if _, err := tx.ExecContext(ctx, steps[version]); err != nil {
			return fmt.Errorf("schema step %d: %w", version+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaVersion is the database's, 0 for an empty one. A database that is not
// Thera's, or is newer than this program, is refused.
func schemaVersion(ctx context.Context, conn *sql.Conn, newest int) (int, error) {
	var id, version, tables int
	for _, q := range []struct {
		text string
		into *int
	}{
		{"PRAGMA application_id", &id},
		{"PRAGMA user_version", &version},
		{"SELECT count(*) FROM sqlite_schema", &tables},
	} {
		if err := conn.QueryRowContext(ctx, q.text).Scan(q.into); err != nil {
			return 0, err
		}
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
