package files

import (
	"errors"
	"io/fs"
	"os"
)

// ErrLocked means that somebody else has a lock.
var ErrLocked = errors.New("locked")

// Lock takes a lock, which is one byte of a file, until release or the end of the process. The
// error is ErrLocked while anybody else has it, in this process or another one. The file is made if
// it is not there, and stays empty. Without locks, of the system or the file system, Lock does nothing.
func Lock(path string, at int64) (release func() error, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err == nil {
		if err = lockByte(file, at); err == nil {
			return file.Close, nil
		}
		err = errors.Join(err, file.Close())
	}
	return nil, err
}

// Free reports whether certainly nobody has a lock.
func Free(path string, at int64) bool {
	file, err := os.Open(path)
	if err != nil {
		return locks && errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	return byteFree(file, at)
}
