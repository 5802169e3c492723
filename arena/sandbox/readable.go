package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Engine is how an engine is started and what its entry in a match file grants.
// Paths may be relative to Dir.
type Engine struct {
	Argv    []string
	Dir     string // working folder, absolute
	Env     []string
	Read    []string
	Write   []string
	Network bool
}

// maxPaths bounds the paths of a policy: each costs time at every start.
const maxPaths = 4096

// For is the policy of an engine: it reads the system's libraries, its
// interpreter, the files that its command names, and its own folder without
// hidden files, databases and what belongs to the others. secret are further
// files that it must not read.
func For(e Engine, others []Engine, secret []string) (Policy, error) {
	home, _ := os.UserHomeDir()
	r := &reach{engine: e, home: home}
	own := r.command()
	for _, other := range others {
		r.theirs(other, own)
	}
	for _, path := range secret {
		r.keep = append(r.keep, real(path))
	}
	for _, dir := range own {
		r.folder(dir)
	}
	if len(r.read) > maxPaths {
		return Policy{}, fmt.Errorf("its folder has over %d entries that cannot be allowed at once: give it a folder of its own", maxPaths)
	}
	p := Policy{Dir: e.Dir, Network: e.Network, List: r.list, Read: append(System(), r.read...)}
	for _, path := range e.Read {
		p.Read = append(p.Read, r.at(path))
	}
	for _, path := range e.Write {
		p.Write = append(p.Write, r.at(path))
	}
	slices.Sort(p.Read)
	p.Read = slices.Compact(p.Read)
	return p, nil
}

// reach collects what one engine may read.
type reach struct {
	engine Engine
	home   string
	read   []string
	list   []string
	seen   []string // programs that were followed
	keep   []string // what it must not read
}

func (r *reach) at(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.engine.Dir, path)
	}
	return filepath.Clean(path)
}

func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}

func (r *reach) allow(path string) {
	if _, err := os.Stat(path); err == nil {
		r.read = append(r.read, real(path))
	}
}

// command allows the program, its interpreter and the files that the command
// and the engine's own variables name. It returns the engine's own folders.
func (r *reach) command() (own []string) {
	files := r.named()
	for i, file := range files {
		if i == 0 {
			r.program(file, 0)
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			own = append(own, file)
			continue
		}
		r.allow(file)
	}
	for _, file := range files {
		if dir := filepath.Dir(real(file)); !system(dir) {
			own = append(own, dir)
			break // a program of its own, or the script of an interpreter
		}
	}
	for _, word := range r.engine.Env {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range filepath.SplitList(value) {
			if filepath.IsAbs(path) && !within(r.home, filepath.Clean(path)) {
				r.allow(path)
			}
		}
	}
	return append(own, r.engine.Dir)
}

// named are the program and the files and folders that further words name.
func (r *reach) named() []string {
	e := &r.engine
	if len(e.Argv) == 0 {
		return nil
	}
	program := e.Argv[0]
	if !strings.ContainsRune(program, '/') {
		if found, err := exec.LookPath(program); err == nil {
			program = found
		}
	}
	files := []string{r.at(program)}
	for _, word := range e.Argv[1:] {
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			word = value
		}
		for _, part := range filepath.SplitList(word) {
			if part == "" || part == "-" {
				continue
			}
			if _, err := os.Stat(r.at(part)); err == nil {
				files = append(files, r.at(part))
			}
		}
	}
	return files
}

// program allows what a program needs: it follows symbolic links, and the
// interpreter of a script.
func (r *reach) program(path string, depth int) {
	if depth > 8 || slices.Contains(r.seen, path) {
		return
	}
	r.seen = append(r.seen, path)
	r.allow(path)
	r.prefix(path)
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		r.program(filepath.Clean(target), depth+1)
	} else if resolved := real(path); resolved != path {
		r.program(resolved, depth+1) // a folder on the way is a link
	}
	for _, interpreter := range shebang(path) {
		r.program(interpreter, depth+1)
	}
}

// prefix allows what is installed with a program: PREFIX/bin/program has its
// libraries in PREFIX/lib.
func (r *reach) prefix(path string) {
	dir := filepath.Dir(path)
	above := filepath.Dir(dir)
	switch filepath.Base(dir) {
	case "bin", "Scripts":
		for _, name := range []string{"lib", "lib64", "libexec", "conf", "release", "pyvenv.cfg"} {
			r.allow(filepath.Join(above, name))
		}
		for line := range lines(filepath.Join(above, "pyvenv.cfg"), 100) {
			if key, home, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "home" {
				r.prefix(filepath.Join(strings.TrimSpace(home), "python"))
			}
		}
	case "shims": // of a version manager
		r.allow(above)
	}
	if filepath.Base(path) == "dotnet" {
		for _, name := range []string{"host", "shared", "sdk"} {
			r.allow(filepath.Join(dir, name))
		}
	}
}

// shebang are the programs that the first line of a script names.
func shebang(path string) []string {
	for line := range lines(path, 1) {
		text, ok := strings.CutPrefix(line, "#!")
		words := strings.Fields(text)
		if !ok || len(words) == 0 {
			break
		}
		programs := words[:1]
		if filepath.Base(words[0]) == "env" {
			for _, word := range words[1:] {
				if found, err := exec.LookPath(word); err == nil && !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
					return append(programs, found)
				}
			}
		}
		return programs
	}
	return nil
}

// lines yields at most the first lines of a file; long ones are cut.
func lines(path string, most int) func(func(string) bool) {
	return func(yield func(string) bool) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		file, err := os.Open(path)
		if err != nil {
			return
		}
		defer file.Close()
		text := bufio.NewReaderSize(file, 4096)
		for range most {
			line, _, err := text.ReadLine()
			if err != nil || !yield(string(line)) {
				return
			}
		}
	}
}

// system reports whether a folder is readable for every engine.
func system(dir string) bool {
	return slices.ContainsFunc(System(), func(known string) bool { return within(dir, known) || within(dir, real(known)) })
}

// theirs keeps what belongs to another engine: its files, and its own folder
// if that is not around one of this engine.
func (r *reach) theirs(other Engine, own []string) {
	them := &reach{engine: other, home: r.home}
	mine := r.named()
	for i := range mine {
		mine[i] = real(mine[i])
	}
	for i, file := range them.named() {
		file = real(file)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && !slices.Contains(mine, file) {
			r.keep = append(r.keep, file)
		}
		if dir := filepath.Dir(file); i == 0 && !system(dir) {
			if !slices.ContainsFunc(own, func(o string) bool { return within(real(o), dir) }) {
				r.keep = append(r.keep, dir)
			}
		}
	}
}

// folder allows the entries of one of the engine's folders.
func (r *reach) folder(dir string) {
	dir = real(dir)
	info, err := os.Stat(dir)
	if err != nil || r.home != "" && within(real(r.home), dir) || system(dir) || info.Mode()&os.ModeSticky != 0 {
		return // everything of the user, or of everybody, is there; what the command names is allowed
	}
	r.entries(dir)
}

// entries allows a folder, or, if it contains what must not be read, each of
// its other entries.
func (r *reach) entries(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var paths []string
	all := true
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		kept := func(k string) bool { return within(real(path), k) || strings.HasPrefix(real(path), k+"-") }
		inside := func(k string) bool { return within(k, path) }
		switch {
		case strings.HasPrefix(e.Name(), ".") || database(e.Name()) || slices.ContainsFunc(r.keep, kept):
			all = false
		case slices.ContainsFunc(r.keep, inside) || e.IsDir() && holdsDatabase(path, 3):
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
	for _, path := range paths {
		// A link is followed only within the folder: it may lead anywhere.
		if to := real(path); within(to, dir) || system(to) {
			r.read = append(r.read, to)
		}
	}
}

// holdsDatabase reports whether a database is at most so many levels below dir.
// Large folders are not searched to the end.
func holdsDatabase(dir string, levels int) bool {
	file, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer file.Close()
	list, _ := file.ReadDir(1000)
	return slices.ContainsFunc(list, func(e os.DirEntry) bool {
		if e.IsDir() {
			return levels > 1 && !strings.HasPrefix(e.Name(), ".") && holdsDatabase(filepath.Join(dir, e.Name()), levels-1)
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
