package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Within reports whether path is dir or below it. Both are absolute and clean.
func Within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// places are where a private temporary folder is mounted: where it hides
// nothing that the engine needs. It replaces the shared temporary folders too
// where that is so.
func places(p *Policy) (tmp string, also []string) {
	needed := slices.Concat(p.Read, p.List, p.Write, []string{p.Dir})
	free := func(dir string) bool {
		info, err := os.Lstat(dir)
		return err == nil && info.IsDir() && !slices.ContainsFunc(needed, func(path string) bool { return Within(filepath.Clean(path), dir) })
	}
	for _, dir := range []string{"/dev/shm", "/mnt", "/media", "/srv", "/var/tmp", "/tmp"} {
		switch {
		case !free(dir):
		case tmp == "":
			tmp = dir
		case dir == "/tmp" || dir == "/var/tmp":
			also = append(also, dir)
		}
	}
	return tmp, also
}
