package store

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// lockWait is the longest wait for another program's lock.
const lockWait = 5 * time.Second

// open opens a database for writing, or as readOnly says. It tries again if several programs
// create the database at once, because SQLite then refuses some without waiting for the lock.
func open(ctx context.Context, path, readOnly string) (*Store, error) {
	for begin := time.Now(); ; {
		s := &Store{path: path, files: map[string]fs.FileInfo{}, tasks: make(chan *task, queueLength), done: make(chan struct{})}
		err := s.connect(ctx, readOnly)
		if err == nil {
			return s, nil
		}
		for _, db := range []*sql.DB{s.reads, s.write} {
			if db != nil {
				_ = db.Close()
			}
		}
		if codeOf(err) == sqlite3.SQLITE_CANTOPEN {
			err = cmp.Or(s.cannotOpen(), err)
		}
		if err = s.fault(err); !errors.Is(err, errBusy) || time.Since(begin) > lockWait {
			return nil, err
		}
		select {
		case <-time.After(time.Millisecond + rand.N(20*time.Millisecond)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// cannotOpen returns why the database, or a file beside it, cannot be opened for writing, which
// SQLite does not say. It returns nil if it finds no reason. No connection may be open, because
// closing a file releases all locks of this process on it.
func (s *Store) cannotOpen() error {
	if info, err := os.Stat(s.path); err == nil && info.IsDir() {
		return errors.New("it is a folder, expected a file")
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err == nil {
		err = f.Close()
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if f, err = os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+".*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok { // its name may be that of the trial
		err = at.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("no file can be created in %s: %w", filepath.Dir(s.path), err)
	case err != nil:
		err = fmt.Errorf("%w: %w", errReadOnly, err)
	}
	return err
}

// connect opens, creates and checks the database, and starts the writer.
func (s *Store) connect(ctx context.Context, readOnly string) (err error) {
	if s.reads, err = pool(s.path, readOnly); err != nil {
		return err
	}
	if readOnly != "" {
		conn, err := s.reads.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		close(s.done) // there is no writer
		return s.check(ctx, conn)
	}
	if s.write, err = pool(s.path, "_txlock=immediate&_pragma=foreign_keys(ON)"); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return err
	}
	w := &writer{Store: s, conn: conn}
	// SQLite keeps its log next to the file that a symbolic link leads to. The marks of runs must
	// be there too, because a database may have two names.
	if s.path, err = filepath.EvalSymlinks(s.path); err != nil {
		return err
	}
	if err := s.same(); err != nil {
		return err
	}
	if err := w.create(ctx); err != nil {
		return err
	}
	if err := s.check(ctx, conn); err != nil {
		return err
	}
	if w.rows, err = conn.PrepareContext(ctx, insertRow); err != nil {
		return err
	}
	if w.records, err = conn.PrepareContext(ctx, "INSERT INTO records (game, json) VALUES (?, ?)"); err != nil {
		return err
	}
	go w.work()
	return nil
}

// pool prepares connections without opening any.
func pool(path, words string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	abs = filepath.ToSlash(abs)
	if abs[0] != '/' { // a drive of Windows
		abs = "/" + abs
	}
	words += fmt.Sprintf("&_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)&_pragma=cache_size(-4000)&_pragma=wal_autocheckpoint(8000)", lockWait.Milliseconds())
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: abs, RawQuery: words}).String())
	if err == nil {
		db.SetMaxIdleConns(mostReads)
	}
	return db, err
}

//go:embed schema.sql
var schema string

const (
	applicationID = 0x54687261 // marks a database as Thera's ("Thra")
	schemaNumber  = 10
)

// create creates the tables of an empty database. It returns an error if SQLite could open the
// database only for reading.
func (w *writer) create(ctx context.Context) error {
	if err := w.conn.Raw(func(driver any) error {
		is, err := driver.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
		if err == nil && is {
			err = errReadOnly
		}
		return err
	}); err != nil {
		return err
	}
	if id, _, err := made(ctx, w.conn); err != nil || id != 0 {
		return err
	}
	// The file keeps both settings. The first frees the space of deleted runs.
	if _, err := w.conn.ExecContext(ctx, "PRAGMA auto_vacuum = FULL; PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	return w.commit(ctx, func(ctx context.Context, w *writer) error {
		if id, _, err := made(ctx, w.conn); err != nil || id != 0 { // another process created them meanwhile
			return err
		}
		_, err := w.conn.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaNumber))
		return err
	})
}

// made returns the application and the schema of a database; the application is 0 if it is empty.
// It uses one statement, because another program may be creating the database.
func made(ctx context.Context, q querier) (id, version int, err error) {
	err = q.QueryRowContext(ctx, `SELECT iif((SELECT count(*) FROM sqlite_schema) > 0 AND application_id = 0, -1, application_id), user_version
		FROM pragma_application_id, pragma_user_version`).Scan(&id, &version)
	return id, version, err
}

// smallFile is the largest size of a database that is checked completely when it
// is opened. In a larger one damage is found when it is read.
const smallFile = 4 << 20

// check returns an error for a database of another program or with other tables. It also looks for
// damage if the database is small.
func (s *Store) check(ctx context.Context, q querier) error {
	id, version, err := made(ctx, q)
	switch {
	case err != nil:
		return err
	case id != applicationID:
		return fmt.Errorf("%w: another program made it (application id %#x); it was not changed", errForeign, id)
	case version > schemaNumber:
		return fmt.Errorf("%w: it has schema %d, this program knows up to %d; use the newer thera that wrote it", errForeign, version, schemaNumber)
	case version < schemaNumber:
		return fmt.Errorf("%w: it has schema %d, this program knows %d; it was not changed: to keep its games, "+
			"write each run with the thera that played it (thera export --all RUN) and read that here (thera import)", errForeign, version, schemaNumber)
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Size() > smallFile {
		return err
	}
	var found string
	if err := q.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, found)
	}
	return nil
}
