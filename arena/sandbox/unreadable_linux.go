package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// refuseUnreadable refuses programs below the paths that this user may start but
// not read: the kernel does not count their time with that of the engine.
func refuseUnreadable(paths []string) error {
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil // what cannot be listed cannot be started either
			}
			info, err := e.Info()
			if err != nil {
				return nil
			}
			stat := info.Sys().(*syscall.Stat_t)
			group, others := stat.Mode>>3, stat.Mode
			if stat.Uid == uint32(os.Geteuid()) { // a boxed root has no more rights than its files give
				group, others = stat.Mode>>6, stat.Mode>>6
			}
			if group&0o5 == 0o1 || others&0o5 == 0o1 {
				return fmt.Errorf("%s may be started but not read: its CPU time would not be counted", path)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
