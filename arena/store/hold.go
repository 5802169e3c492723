package store

import (
	"errors"
	"fmt"
	"hash/fnv"

	"thera/arena/files"
)

// Hold marks the run as being played, until release or the end of the process. Meanwhile Hold
// returns an error, in every process. The mark is a lock in a file next to the database, whose
// place depends on the name. Hold does nothing on systems without such locks.
func (s *Store) Hold(run string) (release func() error, err error) {
	release, err = files.Lock(s.mark(run))
	if errors.Is(err, files.ErrLocked) {
		return nil, fmt.Errorf("run %s is being played by another program: wait for it or stop it, or play under another name (name: …)", run)
	}
	if err != nil {
		return nil, fmt.Errorf("marking run %s as being played: %w", run, err)
	}
	return release, nil
}

// free reports whether certainly nobody plays the run.
func (s *Store) free(run string) bool { return files.Free(s.mark(run)) }

// mark is the place of a run's mark.
func (s *Store) mark(run string) (path string, at int64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(run))
	return s.path + "-runs", int64(h.Sum64() >> 2)
}
