package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
)

//go:embed schema.sql
var schema string

const (
	applicationID = 0x54687261 // marks a database as Thera's ("Thra")
	schemaNumber  = 8
)

// create creates the tables of an empty database.
func create(ctx context.Context, conn *sql.Conn) error {
	if empty, err := isEmpty(ctx, conn); err != nil || !empty {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have created them meanwhile.
	if empty, err := isEmpty(ctx, tx); err != nil || !empty {
		return err
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaNumber)); err != nil {
		return err
	}
	return tx.Commit()
}

// isEmpty reports whether a database has no tables yet. It refuses a database of another
// program or with other tables.
func isEmpty(ctx context.Context, q querier) (bool, error) {
	// Use one statement, which sees one moment, because another program may be
	// creating the database.
	var id, version, tables int
	if err := q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &version, &tables); err != nil {
		return false, err
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return true, nil
	case id != applicationID:
		return false, fmt.Errorf("%w: another program made it (application id %#x); it was not changed", errForeign, id)
	case version > schemaNumber:
		return false, fmt.Errorf("%w: it has schema %d, this program knows up to %d; use the newer thera that wrote it", errForeign, version, schemaNumber)
	case version < schemaNumber:
		return false, fmt.Errorf("%w: it has schema %d, this program knows %d; it was not changed: to keep its games, "+
			"write each run with the thera that played it (thera export --all RUN) and read that here (thera import)", errForeign, version, schemaNumber)
	}
	return false, nil
}
