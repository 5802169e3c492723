// Package store stores runs and their games in one SQLite database.
//
// When Put returns, the game is on disk (write-ahead log, synchronous=FULL), in
// the file that still has the database's name. Concurrent calls of Put share a
// commit, so call it from many goroutines. A game is kept as JSON (arena.GameLine,
// compressed), and beside it in plain columns what decisions and tables need, so that a
// million games can be read in seconds. Whether it counts is a column alone, status.
// Each game and each run has a checksum, which is verified on read.
//
// The package knows no games or rules and decides nothing. It never changes a
// stored game, mixes games played under different conditions, returns damaged
// data, or writes to a database of another program.
//
// Open creates a missing database; Existing does not. A Store is an arena.Store
// for runs; Runs, Find, Load, Games and Game read what is stored.
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
	file     watched
	readOnly bool
	holds    holds
	reads    *sql.DB
	parts    sync.Mutex // of whoever reads a run over several connections
	write    *sql.DB    // one connection, for the writer only; nil if read-only

	puts   chan *put
	tasks  chan task
	closed chan struct{} // closed by Close
	done   chan struct{} // closed by the writer
	once   sync.Once
	wrote  bool  // something was committed; read it after done
	err    error // from closing
}

var _ arena.Store = (*Store)(nil)

// errNone is the error of Existing if there is no database.
var errNone = errors.New("no database")

// Open opens the database at path. It creates the database and its folder if they
// are missing.
func Open(ctx context.Context, path string) (*Store, error) {
	path = follow(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("folder of database %s: %w", path, err)
	}
	return open(ctx, path)
}

// follow is the file that a symbolic link leads to, also if it is not there yet. SQLite
// keeps its log next to that file, and so must the marks of runs be: one database may
// have two names.
func follow(path string) string {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil { // not a link
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// maxLinks is how many links in a row Linux follows.
const maxLinks = 40

// Existing opens the database at path, read-only if it cannot be written. It does
// not create one.
func Existing(ctx context.Context, path string) (*Store, error) {
	path = follow(path)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s: nothing was played there yet (--db names another one)", errNone, path)
	}
	s, err := open(ctx, path)
	if cannotWrite(err) {
		return existingReadOnly(ctx, path)
	}
	return s, err
}

// Path returns the path of the database.
func (s *Store) Path() string { return s.path }

// Close waits for the queued games and closes the database.
func (s *Store) Close() error {
	s.once.Do(func() {
		close(s.closed)
		<-s.done
		var gone error
		if s.wrote { // check before the log is removed
			gone = s.fault(s.file.same(s.path, logOf(s.path)))
		}
		s.err = errors.Join(gone, s.holds.close(), s.reads.Close())
		if s.write != nil {
			s.err = errors.Join(s.err, s.write.Close())
		}
	})
	return s.err
}
