// Package store keeps runs and their games in one SQLite database, the truth
// of the arena.
//
// A game counts as finished when Put has returned: by then it is on disk
// (write-ahead log, synchronous=FULL). Games that arrive together share a
// commit, so Put may be called from many goroutines and should be, beside
// play. Aggregates are written in the transaction of their games; tables read
// those and never the games, so that a million games cost nothing to show.
//
// It refuses to know games and rules, to compute ratings, to change a stored
// game, to mix games played under different conditions, and to touch a
// database that is damaged or not its own.
//
// Open makes the database where there is none; Existing does not. The Store
// is an arena.Keeper; its read side is Runs, Find, Summary, Games and Record.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite" // registers the driver "sqlite"

	"thera/arena"
)

// Store is one open database. It is safe for concurrent use.
type Store struct {
	path  string
	reads *sql.DB
	write *sql.DB // of one connection, used by the writer alone

	puts   chan *put
	tasks  chan task
	closed chan struct{} // closed by Close
	done   chan struct{} // closed by the writer
	once   sync.Once
	err    error // of closing
}

var (
	_ arena.Keeper = (*Store)(nil)
	_ error        = (*sqlite.Error)(nil)
)

// ErrNone is the error of Existing where there is no database.
var ErrNone = errors.New("no database")

// lockWait is how long another program's lock is waited for.
const lockWait = 5 * time.Second

// Open opens the database at path, making it and its folder where missing.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("folder of database %s: %w", path, err)
	}
	return open(ctx, path, migrations)
}

// Existing opens the database at path. Where there is none the error is
// ErrNone, and none is made.
func Existing(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w at %s: nothing was played there yet (--db names another one)", ErrNone, path)
	}
	return open(ctx, path, migrations)
}

func open(ctx context.Context, path string, steps []string) (*Store, error) {
	s := &Store{
		path:   path,
		puts:   make(chan *put, queueLength),
		tasks:  make(chan task),
		closed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	var err error
	if s.write, err = connect(path, 1); err != nil {
		return nil, s.fault(err)
	}
	conn, err := s.write.Conn(ctx)
	if err == nil {
		if err = migrate(ctx, conn, steps); err == nil {
			err = quickCheck(ctx, conn, path)
		}
		err = errors.Join(err, conn.Close())
	}
	if err == nil {
		s.reads, err = connect(path, 4)
	}
	if err != nil {
		s.write.Close()
		return nil, s.fault(err)
	}
	go s.writer()
	return s, nil
}

// connect prepares a pool; nothing is opened yet.
func connect(path string, most int) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	words := url.Values{"_txlock": {"immediate"}}
	for _, p := range []string{
		fmt.Sprintf("busy_timeout(%d)", lockWait.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "cache_size(-4000)", "wal_autocheckpoint(8000)",
	} {
		words.Add("_pragma", p)
	}
	abs = filepath.ToSlash(abs)
	if abs[0] != '/' { // a Windows drive
		abs = "/" + abs
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: abs, RawQuery: words.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// Path is where the database is.
func (s *Store) Path() string { return s.path }

// Close waits for the games on their way and closes the database.
func (s *Store) Close() error {
	s.once.Do(func() {
		close(s.closed)
		<-s.done
		s.err = errors.Join(s.write.Close(), s.reads.Close())
	})
	return s.err
}
