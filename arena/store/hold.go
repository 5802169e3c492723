package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
)

// Held refuses to play a run that another program plays: both would play the
// same games.
type Held struct {
	Run string
	Pid int // 0 where it is not known
}

func (e *Held) Error() string {
	who := "another program"
	if e.Pid > 0 {
		who = fmt.Sprintf("process %d", e.Pid)
	}
	return fmt.Sprintf("run %s is being played by %s: wait for it or stop it, or play under another name (name: …)", e.Run, who)
}

// Hold marks the run of that name as being played by this process until
// release, or until the process has ended in any way. Another process's error
// is then a *Held. The mark is a lock on one byte of a file beside the
// database, the same byte for the same name; the file stays empty.
//
// It keeps processes apart, not two Stores of one process, and does nothing
// where the system has no such locks.
func (s *Store) Hold(run string) (release func() error, err error) {
	path := s.path + "-runs"
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("marking run %s as being played: %w", run, err)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(run))
	pid, err := lockByte(file, int64(h.Sum64()>>2))
	if err == nil {
		return file.Close, nil
	}
	if errors.Is(err, errLocked) {
		err = &Held{Run: run, Pid: pid}
	} else {
		err = fmt.Errorf("marking run %s as being played in %s: %w", run, path, err)
	}
	return nil, errors.Join(err, file.Close())
}

// errLocked is that another process has the lock.
var errLocked = errors.New("locked")
