package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
)

// keepOther keeps what belongs to another engine: its files, and its folders and what else it may
// read or change if that does not contain a folder of this engine.
func (r *reach) keepOther(other arena.EngineSpec, files []string) {
	them := &reach{engine: other, home: r.home, installs: r.installs}
	var mine []string
	for _, file := range files {
		mine = append(mine, real(file))
	}
	named := them.named()
	for _, file := range named {
		if them.straight(file) || r.installed(file) {
			file = real(file)
		} else { // it may be a link to what is not theirs
			file = filepath.Join(real(filepath.Dir(file)), filepath.Base(file))
		}
		if r.everybodys(filepath.Dir(file)) {
			continue // an interpreter
		}
		if info, err := os.Lstat(file); err == nil && !info.IsDir() && !slices.Contains(mine, file) {
			r.keep = append(r.keep, file)
		}
	}
	folders := them.folders(named)
	for _, path := range slices.Concat(other.Read, other.Write) {
		folders = append(folders, real(them.at(path)))
	}
	for _, path := range folders {
		holdsIts := slices.ContainsFunc(r.dirs, func(dir string) bool { return Within(dir, path) })
		if !holdsIts && !r.everybodys(path) && !slices.Contains(r.bins, path) && !slices.Contains(mine, path) {
			r.keep = append(r.keep, path)
		}
	}
}

// entries allows a folder, or, if it contains what must not be read, each of
// its other entries.
func (r *reach) entries(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil || r.seen[dir] {
		return
	}
	r.seen[dir] = true
	var paths []string
	all := true
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		kept := func(k string) bool { return Within(path, k) || strings.HasPrefix(path, k+"-") }
		inside := func(k string) bool { return Within(k, path) }
		switch {
		case e.Type()&os.ModeSymlink != 0: // what it leads to is allowed where that is
		case strings.HasPrefix(e.Name(), ".") || database(e.Name()) || slices.ContainsFunc(r.keep, kept):
			all = false
		case slices.ContainsFunc(r.keep, inside) || e.IsDir() && r.holdsSecret(path):
			all = false
			if e.IsDir() {
				r.entries(path)
			}
		case len(r.read)+len(paths) <= maxPaths:
			paths = append(paths, path)
		}
	}
	if all {
		r.read = append(r.read, dir)
		return
	}
	r.list = append(r.list, dir) // an import looks through the names
	r.read = append(r.read, paths...)
}

func (r *reach) holdsSecret(dir string) bool {
	holds, known := r.secrets[dir]
	if !known {
		holds = holdsSecret(dir, 3)
		r.secrets[dir] = holds
	}
	return holds
}

// holdsSecret reports whether a database, or what often has a key, lies below dir, at most levels
// deep. Large folders are not searched to the end.
func holdsSecret(dir string, levels int) bool {
	file, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer file.Close()
	list, _ := file.ReadDir(1000)
	return slices.ContainsFunc(list, func(e os.DirEntry) bool {
		hidden := strings.HasPrefix(e.Name(), ".")
		switch {
		case e.Name() == ".git" || strings.HasPrefix(e.Name(), ".env"):
			return true
		case e.IsDir():
			return levels > 1 && !hidden && holdsSecret(filepath.Join(dir, e.Name()), levels-1)
		}
		return database(e.Name())
	})
}

// database reports whether a file is one, or belongs to one, by its name. An invitation of
// a worker has a secret and is treated as one.
func database(name string) bool {
	for _, tail := range []string{"-wal", "-shm", "-journal", "-lock"} {
		name = strings.TrimSuffix(name, tail)
	}
	return slices.Contains([]string{".db", ".sqlite", ".sqlite3", ".db3", ".invitation"}, strings.ToLower(filepath.Ext(name)))
}
