//go:build linux || darwin

package files

import (
	"errors"
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// locks says whether this system has locks as Lock needs them.
const locks = true

// The commands F_OFD_SETLK and F_OFD_GETLK, whose locks belong to an open file and not to a
// process. x/sys has those of Linux alone.
var setLock, getLock = 37, 36

func init() {
	if runtime.GOOS == "darwin" {
		setLock, getLock = 90, 92
	}
}

// lockByte locks one byte of a file, until the file is closed.
func lockByte(file *os.File, at int64) error {
	err := unix.FcntlFlock(file.Fd(), setLock, &unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1})
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		return ErrLocked
	case errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL):
		return nil // a file system without locks
	}
	return err
}

// byteFree reports whether certainly nobody has the lock.
func byteFree(file *os.File, at int64) bool {
	lock := unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart, Start: at, Len: 1}
	return unix.FcntlFlock(file.Fd(), getLock, &lock) == nil && lock.Type == unix.F_UNLCK
}
