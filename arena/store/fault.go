package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The kinds of errors of a database, for errors.Is.
var (
	ErrDamaged = errors.New("damaged")
	errForeign = errors.New("not usable by this version of thera")
	errBusy    = errors.New("locked by another program")
	errFull    = errors.New("the disk is full")
	errClosed  = errors.New("already closed")

	// errReadOnly is the error of changing a read-only database.
	errReadOnly = errors.New("read-only")

	// ErrGone means that the file was deleted or replaced after it was opened.
	ErrGone = errors.New("no longer there")
)

// smallFile is the largest size of a database that is checked completely when it
// is opened. In a larger one damage is found when it is read.
const smallFile = 4 << 20

// quickCheck looks for damage in a small database.
func quickCheck(ctx context.Context, conn *sql.Conn, path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > smallFile {
		return err
	}
	var found string
	if err := conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, found)
	}
	return nil
}

// fault explains an error to the user and adds the path.
func (s *Store) fault(err error) error {
	if err == nil {
		return nil
	}
	var hint string
	switch kind, known := kindOf(err); {
	case errors.As(err, new(*Damage)):
		hint = gamesHint
	case errors.Is(err, ErrDamaged):
		hint = damagedHint
	case !known:
		return fmt.Errorf("database %s: %w", s.path, err)
	default:
		switch kind {
		case ErrDamaged:
			hint = damagedHint
			kind = fmt.Errorf("%w (%w)", kind, err)
		case errBusy:
			hint = fmt.Sprintf("; waited %v, nothing was changed", lockWait)
		case errFull:
			hint = "; the latest games were not stored, all earlier ones were"
		}
		err = kind
	}
	return fmt.Errorf("database %s: %w%s", s.path, err, hint)
}

const gamesHint = "\nall other games can be read: thera export writes them, thera import adds them to a new database"

const damagedHint = "; it was not changed: move it away to start with a new one, or restore a copy"

// kindOf classifies SQLite's result codes.
func kindOf(err error) (error, bool) {
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return nil, false
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errBusy, true
	case sqlite3.SQLITE_FULL:
		return errFull, true
	case sqlite3.SQLITE_READONLY:
		return errReadOnly, true
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged, true
	}
	return nil, false
}

// cannotWrite reports whether a database could not be opened because it or its
// folder is read-only.
func cannotWrite(err error) bool {
	var lite *sqlite.Error
	return errors.Is(err, errReadOnly) || errors.As(err, &lite) && (lite.Code()&0xff == sqlite3.SQLITE_CANTOPEN || lite.Code()&0xff == sqlite3.SQLITE_READONLY)
}
