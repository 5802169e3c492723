// Package store stores runs and their games in one SQLite database.
//
// A game counts as finished when Put has returned: by then it is on disk
// (write-ahead log, synchronous=FULL) in the file that has the database's
// name. Games that arrive together share a commit, so Put may be called from
// many goroutines, and should be, while games are played. The figures of a game
// that decide about a run are packed into one column, so that a million games
// are read in seconds. Each game and each run has a checksum, verified on read.
//
// It refuses to know games and rules, to count or to decide anything, to
// change a stored game, to mix games played under different conditions, to
// pass on what is damaged, and to touch a database that is not its own.
//
// Open makes the database where there is none; Existing does not. The Store
// is an arena.Store; its read side is Runs, Find, Load, Games and Game.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"thera/arena"
)

// Store is one open database. It is safe for concurrent use.
type Store struct {
	path     string
	file     identity
	readOnly bool
	holds    holds
	reads    *sql.DB
	write    *sql.DB // of one connection, used by the writer alone; nil when read-only

	puts   chan *put
	tasks  chan task
	closed chan struct{} // closed by Close
	done   chan struct{} // closed by the writer
	once   sync.Once
	wrote  bool  // something was committed; read after done
	err    error // of closing
}

var _ arena.Store = (*Store)(nil)

// ErrNone is the error of Existing where there is no database.
var ErrNone = errors.New("no database")

// Open opens the database at path, making it and its folder where missing.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("folder of database %s: %w", path, err)
	}
	return open(ctx, path, migrations)
}

// Existing opens the database at path, read-only if the system allows no more.
// If there is none, the error is ErrNone.
func Existing(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s: nothing was played there yet (--db names another one)", ErrNone, path)
	}
	s, err := open(ctx, path, migrations)
	if cannotWrite(err) {
		return existingReadOnly(ctx, path)
	}
	return s, err
}

// Path is where the database is.
func (s *Store) Path() string { return s.path }

// Close waits for the queued games and closes the database.
func (s *Store) Close() error {
	s.once.Do(func() {
		close(s.closed)
		<-s.done
		var gone error
		if s.wrote { // before the log goes
			gone = s.fault(s.file.same(s.path))
		}
		s.err = errors.Join(gone, s.holds.close(), s.reads.Close())
		if s.write != nil {
			s.err = errors.Join(s.err, s.write.Close())
		}
	})
	return s.err
}
