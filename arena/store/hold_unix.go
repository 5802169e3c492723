//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockByte locks one byte of a file for this process, fcntl(2). Where another
// has it, pid is that one, as far as the system tells.
func lockByte(file *os.File, at int64) (pid int, err error) {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1}
	err = unix.FcntlFlock(file.Fd(), unix.F_SETLK, &lock)
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		lock.Type = unix.F_WRLCK
		if unix.FcntlFlock(file.Fd(), unix.F_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK {
			pid = int(lock.Pid)
		}
		return pid, errLocked
	case errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL):
		return 0, nil // a file system without locks: as it was without marks
	case err != nil:
		return 0, fmt.Errorf("locking: %w", err)
	}
	return 0, nil
}
