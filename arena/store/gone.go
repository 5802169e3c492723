package store

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// identity identifies the files of the database when it was opened. An open file
// can be deleted or replaced; what is written afterwards is lost, without an
// error from the system.
type identity struct {
	file fs.FileInfo

	mu  sync.Mutex
	log fs.FileInfo // the write-ahead log, from the first commit on
}

func identify(path string) (identity, error) {
	info, err := os.Stat(path)
	return identity{file: info}, err
}

// same is an error if path, or its log, is another file now. It is for a
// connection that has committed: then there is a log.
func (id *identity) same(path string) error {
	if err := sameFile(path, id.file); err != nil {
		return err
	}
	id.mu.Lock()
	defer id.mu.Unlock()
	if id.log != nil {
		return sameFile(logOf(path), id.log)
	}
	info, err := os.Stat(logOf(path))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	id.log = info
	return nil
}

func sameFile(path string, was fs.FileInfo) error {
	now, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: it was deleted or moved while it was in use, and the games of this moment with it (%w)", ErrGone, err)
	case !os.SameFile(was, now):
		return fmt.Errorf("%w: another file was put in place of %s while it was in use, the games of this moment are not in it", ErrGone, path)
	}
	return nil
}

func logOf(path string) string { return path + "-wal" }
