package store

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// identity identifies the files of an open database. If an open file is deleted
// or replaced, later writes are lost without an error from the system.
type identity struct {
	file fs.FileInfo

	mu  sync.Mutex
	log fs.FileInfo // the write-ahead log; nil before the first commit
}

func identify(path string) (identity, error) {
	info, err := os.Stat(path)
	return identity{file: info}, err
}

// same returns an error if path or its log is now another file. Call it after a
// commit, when there is a log.
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
		return fmt.Errorf("%w: it was deleted or moved while it was in use, and the latest games are lost (%w)", ErrGone, err)
	case !os.SameFile(was, now):
		return fmt.Errorf("%w: %s was replaced by another file while it was in use, and the latest games are lost", ErrGone, path)
	}
	return nil
}

func logOf(path string) string { return path + "-wal" }
