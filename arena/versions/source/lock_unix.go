//go:build unix

package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lock waits until no other process or goroutine has the lock of a file. The
// system releases it when its process dies.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return func() { file.Close() }, nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", name, err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		}
	}
}

// identity tells a file apart from others and counts its names.
func identity(info fs.FileInfo) (id file, names uint64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return file{}, 1
	}
	return file{uint64(stat.Dev), stat.Ino}, uint64(stat.Nlink)
}
