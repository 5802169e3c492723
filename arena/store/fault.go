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

// The kinds of trouble with a database, for errors.Is.
var (
	ErrDamaged = errors.New("damaged")
	ErrForeign = errors.New("not of use to this thera")
	ErrLocked  = errors.New("locked by another program")
	ErrFull    = errors.New("the disk is full")
	ErrClosed  = errors.New("closed already")

	// ErrReadOnly is the error of changing a database that only can be read.
	ErrReadOnly = errors.New("read-only")

	// ErrGone means that the database is no longer where it was opened.
	ErrGone = errors.New("no longer there")
)

// smallFile is the size up to which a database is checked as a whole when it
// is opened; larger ones show their damage when it is met.
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

// fault explains an error of SQLite to the user, with the path.
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
		case ErrLocked:
			hint = fmt.Sprintf("; waited %v, nothing was changed", lockWait)
		case ErrFull:
			hint = "; the games of this moment were not stored, all earlier ones are"
		}
		err = kind
	}
	return fmt.Errorf("database %s: %w%s", s.path, err, hint)
}

const gamesHint = "\nall other games can be read: thera export writes them, thera import takes them into a new database"

const damagedHint = "; it was left as it is: move it away to start anew, or bring back a copy"

// kindOf classifies SQLite's result codes.
func kindOf(err error) (error, bool) {
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return nil, false
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrLocked, true
	case sqlite3.SQLITE_FULL:
		return ErrFull, true
	case sqlite3.SQLITE_READONLY:
		return ErrReadOnly, true
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged, true
	}
	return nil, false
}

// cannotWrite reports whether a database could not be opened because it, or its
// folder, can only be read.
func cannotWrite(err error) bool {
	var lite *sqlite.Error
	return errors.Is(err, ErrReadOnly) || errors.As(err, &lite) && (lite.Code()&0xff == sqlite3.SQLITE_CANTOPEN || lite.Code()&0xff == sqlite3.SQLITE_READONLY)
}
