package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
)

// Hold marks the run as being played, until release or the end of the process. Meanwhile Hold
// returns an error, in every process. The mark is a lock on one byte of a file next to the
// database, which depends on the name; the file stays empty. Hold does nothing on systems
// without such locks.
func (s *Store) Hold(run string) (release func() error, err error) {
	file, err := os.OpenFile(s.marks(), os.O_RDWR|os.O_CREATE, 0o666)
	if err == nil {
		if err = lockByte(file, byteOf(run)); err == nil {
			return file.Close, nil
		}
		err = errors.Join(err, file.Close())
	}
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("run %s is being played by another program: wait for it or stop it, or play under another name (name: …)", run)
	}
	return nil, fmt.Errorf("marking run %s as being played: %w", run, err)
}

// free reports whether certainly nobody plays the run.
func (s *Store) free(run string) bool {
	file, err := os.Open(s.marks())
	if err != nil {
		return errors.Is(err, os.ErrNotExist) && marksRuns
	}
	defer file.Close()
	return byteFree(file, byteOf(run))
}

func (s *Store) marks() string { return s.path + "-runs" }

// byteOf returns the offset of a run's byte.
func byteOf(run string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(run))
	return int64(h.Sum64() >> 2)
}

// errLocked means that somebody else has the lock.
var errLocked = errors.New("locked")
