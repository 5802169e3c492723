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
func places(p *Policy) (dirs []string) {
	needed := slices.Concat(p.Read, p.List, p.Write, []string{p.Dir})
	for _, dir := range []string{"/dev/shm", "/mnt", "/media", "/srv", "/var/tmp", "/tmp"} {
		info, err := os.Lstat(dir)
		hides := func(path string) bool { return Within(filepath.Clean(path), dir) }
		shared := dir == "/var/tmp" || dir == "/tmp"
		if err == nil && info.IsDir() && (len(dirs) == 0 || shared) && !slices.ContainsFunc(needed, hides) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
