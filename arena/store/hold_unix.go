//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// marksRuns says whether Hold works on this system.
const marksRuns = true

// lockByte locks one byte of a file for this process with fcntl(2). If another
// process has the lock, pid is its number, or 0 if the system does not say.
func lockByte(file *os.File, at int64) (pid int, err error) {
	err = fcntl(file, unix.F_SETLK, unix.F_WRLCK, at, nil)
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		var other unix.Flock_t
		if fcntl(file, unix.F_GETLK, unix.F_WRLCK, at, &other) == nil && other.Type != unix.F_UNLCK {
			pid = int(other.Pid)
		}
		return pid, errLocked
	case errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL):
		return 0, nil // a file system without locks: play without a mark
	case err != nil:
		return 0, fmt.Errorf("locking: %w", err)
	}
	return 0, nil
}

func unlockByte(file *os.File, at int64) error {
	return fcntl(file, unix.F_SETLK, unix.F_UNLCK, at, nil)
}

// byteFree reports whether certainly no other process has the lock.
func byteFree(file *os.File, at int64) bool {
	var other unix.Flock_t
	return fcntl(file, unix.F_GETLK, unix.F_RDLCK, at, &other) == nil && other.Type == unix.F_UNLCK
}

// fcntl executes command for one byte. It stores the system's answer in answer
// unless that is nil.
func fcntl(file *os.File, command int, kind int16, at int64, answer *unix.Flock_t) error {
	lock := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1}
	err := unix.FcntlFlock(file.Fd(), command, &lock)
	if answer != nil {
		*answer = lock
	}
	return err
}
