package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"sync"
)

// heldError is the error of Hold if another process plays the run.
type heldError struct {
	Run string
	Pid int // 0 if unknown
}

func (e *heldError) Error() string {
	who := "another program"
	if e.Pid > 0 {
		who = fmt.Sprintf("process %d", e.Pid)
	}
	return fmt.Sprintf("run %s is being played by %s: wait for it or stop it, or play under another name (name: …)", e.Run, who)
}

// holds are the runs that a Store holds. Their file stays open until the Store is
// closed, because a process that closes a file loses all its locks on it.
type holds struct {
	mu   sync.Mutex
	file *os.File // nil before the first Hold
	own  map[string]bool
}

// Hold marks the run as being played by this process, until release or the end
// of the process. Meanwhile Hold returns an error in other processes. The mark is
// a lock on one byte of a file next to the database, which depends on the name;
// the file stays empty.
//
// Hold excludes other processes, but not a second Store in the same process. It
// does nothing on systems without such locks.
func (s *Store) Hold(run string) (release func() error, err error) {
	h := &s.holds
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		if h.file, err = os.OpenFile(s.marks(), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return nil, fmt.Errorf("marking run %s as being played: %w", run, err)
		}
	}
	pid, err := lockByte(h.file, byteOf(run))
	if errors.Is(err, errLocked) {
		return nil, &heldError{Run: run, Pid: pid}
	}
	if err != nil {
		return nil, fmt.Errorf("marking run %s as being played in %s: %w", run, s.marks(), err)
	}
	if h.own == nil {
		h.own = map[string]bool{}
	}
	h.own[run] = true
	return func() error {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.own, run)
		if h.file == nil { // closing the file released the lock
			return nil
		}
		return unlockByte(h.file, byteOf(run))
	}, nil
}

// free reports whether certainly no process plays the run.
func (s *Store) free(run string) bool {
	h := &s.holds
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.own[run] {
		return false
	}
	file := h.file
	if file == nil {
		var err error
		file, err = os.Open(s.marks())
		if errors.Is(err, fs.ErrNotExist) {
			return marksRuns
		}
		if err != nil {
			return false
		}
		defer file.Close()
	}
	return byteFree(file, byteOf(run))
}

func (h *holds) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	file := h.file
	if h.file = nil; file == nil {
		return nil
	}
	return file.Close()
}

func (s *Store) marks() string { return s.path + "-runs" }

// byteOf returns the offset of a run's byte.
func byteOf(run string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(run))
	return int64(h.Sum64() >> 2)
}

// errLocked means that another process has the lock.
var errLocked = errors.New("locked")
