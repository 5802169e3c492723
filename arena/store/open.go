package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// lockWait is how long to wait for another program's lock.
const lockWait = 5 * time.Second

// mostReads is how many connections read.
const mostReads = 4

// open opens a database for writing. If several programs create it at once,
// SQLite refuses some of them without waiting for the lock, so they try again.
func open(ctx context.Context, path string) (*Store, error) {
	for begin := time.Now(); ; {
		s, err := openOnce(ctx, path)
		if !errors.Is(err, errBusy) || time.Since(begin) > lockWait {
			return s, err
		}
		select {
		case <-time.After(time.Millisecond + rand.N(20*time.Millisecond)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func openOnce(ctx context.Context, path string) (_ *Store, err error) {
	s := &Store{
		path: path, file: watched{was: map[string]fs.FileInfo{}}, puts: make(chan *put, queueLength), tasks: make(chan task),
		closed: make(chan struct{}), done: make(chan struct{}),
	}
	if s.write, err = connect(path, 1, "_txlock=immediate", "_pragma=journal_mode(WAL)", "_pragma=foreign_keys(ON)"); err != nil {
		return nil, s.fault(err)
	}
	if s.reads, err = connect(path, mostReads); err != nil {
		return nil, s.fault(errors.Join(err, s.write.Close()))
	}
	w, err := s.prepare(ctx)
	if err != nil {
		_ = s.write.Close()
		_ = s.reads.Close()
		return nil, s.fault(err)
	}
	go w.work()
	return s, nil
}

// prepare creates and checks the database.
func (s *Store) prepare(ctx context.Context) (w *writer, err error) {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	if err := s.file.same(s.path); err != nil {
		return nil, err
	}
	if err := refuseReadOnly(conn); err != nil {
		return nil, err
	}
	if err := create(ctx, conn); err != nil {
		return nil, err
	}
	if err := quickCheck(ctx, conn, s.path); err != nil {
		return nil, err
	}
	return newWriter(ctx, s, conn)
}

// refuseReadOnly returns an error if SQLite could only open the file for reading.
func refuseReadOnly(conn *sql.Conn) error {
	return conn.Raw(func(driver any) error {
		is, err := driver.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
		if err == nil && is {
			err = errReadOnly
		}
		return err
	})
}

// existingReadOnly opens a read-only database.
func existingReadOnly(ctx context.Context, path string) (*Store, error) {
	s, err := openReadOnly(ctx, path, "mode=ro")
	if !cannotWrite(err) {
		return s, err
	}
	// SQLite can read the log of a database only if it can create a file.
	if info, err := os.Stat(logOf(path)); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("database %s: %w, like its folder, but its latest games are still in %s: copy both to a writable folder (--db)",
			path, errReadOnly, logOf(path))
	}
	return openReadOnly(ctx, path, "mode=ro", "immutable=1")
}

// openReadOnly opens a database for reading.
func openReadOnly(ctx context.Context, path string, words ...string) (*Store, error) {
	s := &Store{path: path, readOnly: true, closed: make(chan struct{}), done: make(chan struct{})}
	close(s.done) // there is no writer
	var err error
	if s.reads, err = connect(path, mostReads, words...); err != nil {
		return nil, s.fault(err)
	}
	conn, err := s.reads.Conn(ctx)
	if err == nil {
		err = errors.Join(prepareReads(ctx, conn, path), conn.Close())
	}
	if err != nil {
		_ = s.reads.Close()
		return nil, s.fault(err)
	}
	return s, nil
}

func prepareReads(ctx context.Context, conn *sql.Conn, path string) error {
	empty, err := isEmpty(ctx, conn)
	if err != nil {
		return err
	}
	if empty {
		return fmt.Errorf("%w: it is empty", errReadOnly)
	}
	return quickCheck(ctx, conn, path)
}

// connect prepares a pool of up to most connections without opening any.
func connect(path string, most int, words ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	abs = filepath.ToSlash(abs)
	if abs[0] != '/' { // a Windows drive
		abs = "/" + abs
	}
	query := url.Values{}
	for _, p := range []string{
		fmt.Sprintf("busy_timeout(%d)", lockWait.Milliseconds()), "synchronous(FULL)", "cache_size(-4000)", "wal_autocheckpoint(8000)",
	} {
		query.Add("_pragma", p)
	}
	text := query.Encode()
	for _, word := range words {
		text += "&" + word
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: abs, RawQuery: text}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}
