package source

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// watchDisk measures how much the files grow that the commands of a build can
// write since they had before bytes, and calls kill once they have grown beyond the
// limit. done ends that and
// returns the growth at the end, or the one that was too much.
//
// Files count by their lengths and names: what a command writes to a file that it
// has deleted is not seen.
func (w *work) watchDisk(before int64, kill func()) (done func() int64) {
	stop, grown := make(chan struct{}), make(chan int64, 1)
	go func() {
		wait := 50 * time.Millisecond
		for {
			select {
			case <-stop:
				grown <- w.disk() - before
				return
			case <-time.After(wait):
			}
			begun := time.Now()
			if now := w.disk() - before; now > w.cache.limits.disk {
				kill()
				grown <- now
				return
			}
			wait = max(wait, 10*time.Since(begun)) // large trees take long
		}
	}()
	return func() int64 {
		close(stop)
		return <-grown
	}
}

// disk is the size of all files that the commands of a build can write.
func (w *work) disk() int64 {
	var sum int64
	roots := []string{w.dir}
	if !w.recipe.Apart {
		roots = append(roots, w.deps())
	}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // files come and go while the command runs
			}
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
			return nil
		})
	}
	return sum
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
