// Package store stores runs and their games in one SQLite database.
//
// When Put returns, the game is on disk (write-ahead log, synchronous=FULL), in the file that still
// has the database's name. Concurrent calls of Put share a commit, so call it from many goroutines.
//
// A game is stored as compressed JSON (arena.GameLine). What decisions and tables need is also in
// plain columns, so that a million games can be read in seconds. The column status alone says
// whether the game counts. Each game and each run has a checksum, which is verified on read.
//
// The package knows no games or rules and decides nothing. It never changes a stored game, mixes
// games played under different conditions, returns damaged data, or writes to a database of another
// program.
//
// Open creates a missing database; Existing does not. A Store is an arena.Store for runs. Runs,
// Find, Load, Games and Game read what is stored.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"thera/arena"
	"thera/arena/files"
)

// Store is one open database. It is safe for concurrent use.
type Store struct {
	path  string
	files map[string]fs.FileInfo // as they were when they were opened
	reads *sql.DB
	write *sql.DB // one connection, for the writer only; nil if read-only

	tasks   chan *task
	sending sync.RWMutex  // held to close tasks
	ended   bool          // tasks is closed
	done    chan struct{} // closed by the writer
	wrote   bool          // something was committed; read it after done
	err     error         // from closing
}

var _ arena.Store = (*Store)(nil)

// Open opens the database at path, and creates it if it is missing. Its folder must exist
// unless it is below the working directory.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("folder of database %s: %w", path, err)
	}
	return open(ctx, path, "")
}

// makeFolder makes a folder below the working directory. Git ignores its files, because results are
// not part of an engine.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o777) // it exists, or is not a folder
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if below, err := filepath.Rel(here, dir); filepath.IsAbs(dir) && err == nil {
		dir = below
	}
	if !filepath.IsLocal(dir) {
		return fmt.Errorf("%s is missing, and folders are created below the working directory only", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err = files.Create(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o666)
	if err != nil { // so that the next start tries it again
		err = errors.Join(err, os.Remove(dir))
	}
	return err
}

// Existing opens the database at path, read-only if it cannot be written. It does
// not create one.
func Existing(ctx context.Context, path string) (*Store, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s: nothing was played there yet (--db names another one)", errNone, path)
	}
	path = cmp.Or(real, path)
	s, err := open(ctx, path, "")
	if cannotWrite(err) {
		s, err = open(ctx, path, "mode=ro")
	}
	if !cannotWrite(err) {
		return s, err
	}
	// SQLite can read the log of a database only if it can create a file.
	if info, err := os.Stat(logOf(path)); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("database %s: %w, like its folder, but its latest games are still in %s: copy both to a writable folder (--db)",
			path, errReadOnly, logOf(path))
	}
	return open(ctx, path, "mode=ro&immutable=1")
}

// Path returns the path of the database.
func (s *Store) Path() string { return s.path }

// Close waits for the queued games and closes the database.
func (s *Store) Close() error {
	s.sending.Lock()
	defer s.sending.Unlock()
	if s.ended {
		return s.err
	}
	s.ended = true
	close(s.tasks)
	<-s.done
	if s.wrote { // check before the log is removed
		s.err = s.fault(s.same(logOf(s.path)))
	}
	s.err = errors.Join(s.err, s.reads.Close())
	if s.write != nil {
		s.err = errors.Join(s.err, s.write.Close())
	}
	return s.err
}

// same returns an error if the path of the database or of its log now has another file. What is
// written to an open file that was deleted or replaced is lost, and the system reports no error.
// Only the writer calls same, or somebody who has waited for its end.
func (s *Store) same(paths ...string) error {
	for _, path := range append(paths, s.path) {
		now, err := os.Stat(path)
		switch was := s.files[path]; {
		case err != nil:
			return fmt.Errorf("%w: it was deleted or moved while it was in use, and the latest games are lost (%w)", ErrGone, err)
		case was == nil:
			s.files[path] = now
		case !os.SameFile(was, now):
			return fmt.Errorf("%w: %s was replaced by another file while it was in use, and the latest games are lost", ErrGone, path)
		}
	}
	return nil
}

func logOf(path string) string { return path + "-wal" }
