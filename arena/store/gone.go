package store

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// watched are the files of an open database as they were first seen. If an open file is
// deleted or replaced, later writes are lost without an error from the system.
type watched struct {
	mu  sync.Mutex
	was map[string]fs.FileInfo
}

// same returns an error if a file is another one now. The log is there after a commit.
func (w *watched) same(paths ...string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range paths {
		now, err := os.Stat(path)
		switch was := w.was[path]; {
		case err != nil:
			return fmt.Errorf("%w: it was deleted or moved while it was in use, and the latest games are lost (%w)", ErrGone, err)
		case was == nil:
			w.was[path] = now
		case !os.SameFile(was, now):
			return fmt.Errorf("%w: %s was replaced by another file while it was in use, and the latest games are lost", ErrGone, path)
		}
	}
	return nil
}

func logOf(path string) string { return path + "-wal" }
