package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena/sandbox"
)

// An engine reads its folder $OUT, and whatever its command names there. So nothing
// in the folder may lead out of it.

// foreign says what in the folder out leads out of it, "" if nothing does. Links to the
// system are allowed, because every engine reads it.
func foreign(out string) (cause string) {
	missing, first := map[file]uint64{}, map[file]string{} // names of files with several
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name := "$OUT" + strings.TrimPrefix(path, out)
		switch mode := info.Mode(); {
		case mode&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			if real, err := filepath.EvalSymlinks(path); err != nil || !sandbox.Within(real, out) && !ofSystem(real) {
				cause = fmt.Sprintf("%s is a link to %s, which is not in $OUT", name, to)
			}
		case mode.IsRegular() && mode&(fs.ModeSetuid|fs.ModeSetgid) != 0:
			cause = fmt.Sprintf("%s has mode %v: it would run as another user", name, mode)
		case mode.IsRegular():
			if id, n := identity(info); n > 1 {
				if first[id] == "" {
					missing[id], first[id] = n, name
				}
				missing[id]--
			}
		case !d.IsDir():
			cause = fmt.Sprintf("%s is no file, folder or link: %v", name, mode.Type())
		}
		if cause != "" {
			return filepath.SkipAll
		}
		return nil
	})
	for id, n := range missing {
		if cause == "" && n > 0 {
			cause = first[id] + " has another name outside $OUT, a hard link"
		}
	}
	if err != nil { // as of paths that are too long for the system
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err
		}
		return "not all of $OUT can be read: " + err.Error()
	}
	return cause
}

// file tells files apart.
type file struct{ device, inode uint64 }

// ofSystem reports whether every engine reads a path.
func ofSystem(path string) bool {
	return slices.ContainsFunc(sandbox.System(), func(dir string) bool { return dir != "/proc" && sandbox.Within(path, dir) })
}

// unmoved refuses a path on which a command put a link: it would lead the next command
// out of the build.
func unmoved(path, dir string) error {
	real, err := filepath.EvalSymlinks(path)
	if err == nil && !sandbox.Within(real, dir) {
		err = fmt.Errorf("%s is a link to %s", path, real)
	}
	return err
}
