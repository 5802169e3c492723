package store

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The kinds of errors of a database, for errors.Is.
var (
	ErrDamaged = errors.New("damaged")
	ErrGone    = errors.New("no longer there") // the file was deleted or replaced after it was opened
	ErrUnknown = errors.New("unknown")         // a run or game that is not in the database
	ErrFull    = errors.New("the disk is full")
	ErrFails   = errors.New("the disk fails")

	errNone     = errors.New("no database")
	errForeign  = errors.New("not usable by this version of thera")
	errBusy     = errors.New("locked by another program")
	errClosed   = errors.New("already closed")
	errReadOnly = errors.New("read-only")
)

const (
	gamesHint   = "\nall other games can be read: thera export writes them, thera import adds them to a new database"
	damagedHint = "; it was not changed: move it away to start with a new one, or restore a copy"
)

// fault adds to an error what it means for the user, and the path.
func (s *Store) fault(err error) error {
	if err == nil || errors.As(err, new(*ChangedError)) {
		return err
	}
	hint := ""
	switch kind := kindOf(err); {
	case errors.As(err, new(*Damage)):
		hint = gamesHint
	case errors.Is(err, ErrDamaged):
		hint = damagedHint
	case kind == ErrDamaged:
		err, hint = fmt.Errorf("%w (%w)", kind, err), damagedHint
	case kind == errBusy:
		err, hint = kind, fmt.Sprintf("; waited %v, nothing was changed", lockWait)
	case kind == ErrFails:
		err = fmt.Errorf("%w (%w)", kind, err)
	case kind != nil:
		err = kind
	}
	return fmt.Errorf("database %s: %w%s", s.path, err, hint)
}

// kindOf returns the kind of an error of SQLite, nil for other errors.
func kindOf(err error) error {
	return map[int]error{
		sqlite3.SQLITE_BUSY: errBusy, sqlite3.SQLITE_LOCKED: errBusy, sqlite3.SQLITE_FULL: ErrFull, sqlite3.SQLITE_IOERR: ErrFails,
		sqlite3.SQLITE_READONLY: errReadOnly, sqlite3.SQLITE_CANTOPEN: ErrFails,
		sqlite3.SQLITE_CORRUPT: ErrDamaged, sqlite3.SQLITE_NOTADB: ErrDamaged,
	}[codeOf(err)]
}

// codeOf returns SQLite's primary result code, 0 for other errors.
func codeOf(err error) int {
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() & 0xff
	}
	return 0
}

// Damage is the error of a run with damaged games. All other games can be read.
// It unwraps to ErrDamaged.
type Damage struct {
	Run   string
	Games []damagedGame
	Lost  int // number of missing games; negative if there are too many
}

// damagedGame is a game that has a wrong checksum or cannot be read.
type damagedGame struct {
	ID  string // as stored; it may be damaged too
	Why error
}

// mostNamed bounds the games that a message names.
const mostNamed = 10

func (d *Damage) Error() string {
	var lines []string
	for _, g := range d.Games[:min(len(d.Games), mostNamed)] {
		lines = append(lines, fmt.Sprintf("game %q of run %s is damaged: %v", g.ID, d.Run, g.Why))
	}
	if more := len(d.Games) - mostNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if d.Lost != 0 {
		lines = append(lines, fmt.Sprintf("%d games of run %s cannot be found (negative: too many)", d.Lost, d.Run))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns ErrDamaged.
func (d *Damage) Unwrap() error { return ErrDamaged }

func (d *Damage) add(id string, why error) { d.Games = append(d.Games, damagedGame{id, why}) }

func (d *Damage) err() error {
	if len(d.Games) == 0 && d.Lost == 0 {
		return nil
	}
	return d
}

// cannotWrite reports whether a database could not be opened because it or its folder is
// read-only.
func cannotWrite(err error) bool { return errors.Is(err, errReadOnly) }
