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
// files that it must not read. Nothing in its folder leads further: no link, no
// first line of a script, no settings of a virtual environment, except to what
// is installed on this machine.
func For(e Engine, others []Engine, secret []string) (Policy, error) {
	home, _ := os.UserHomeDir()
	r := &reach{engine: e, home: home, installs: findInstalls(home)}
	for _, engine := range append([]Engine{e}, others...) {
		for _, dir := range engine.Write {
			r.written = append(r.written, at(engine.Dir, dir))
		}
	}
	for _, path := range slices.Concat(e.Read, e.Write) {
		r.granted = append(r.granted, r.grant(at(e.Dir, path)))
	}
	r.grant(filepath.Clean(e.Dir))
	files := r.named()
	r.folders(files)
	for _, other := range others {
		r.keepOther(other, files)
	}
	for _, path := range secret {
		r.keep = append(r.keep, real(path))
	}
	r.command(files)
	for _, dir := range r.own {
		r.entries(dir)
	}
	for _, path := range System() {
		path = real(path)
		if slices.ContainsFunc(r.keep, func(k string) bool { return within(k, path) }) {
			r.entries(path) // the user works in /opt or the like
		} else {
			r.read = append(r.read, path)
		}
	}
	switch {
	case r.err != nil:
		return Policy{}, r.err
	case len(r.read) > maxPaths:
		return Policy{}, fmt.Errorf("its folder has over %d entries that cannot be allowed at once: give it a folder of its own", maxPaths)
	}
	own := slices.DeleteFunc(slices.Concat(r.read, r.granted), func(path string) bool { return r.everybodys(path) || r.wide(path) })
	if err := refuseUnreadable(own); err != nil {
		return Policy{}, err
	}
	p := Policy{Dir: e.Dir, Network: e.Network, List: r.list, Read: append(r.read, r.granted[:len(e.Read)]...), Write: r.granted[len(e.Read):]}
	slices.Sort(p.Read)
	p.Read = slices.Compact(p.Read)
	return p, nil
}

// reach collects what one engine may read.
type reach struct {
	engine Engine
	home   string
	installs
	granted []string // by read: and write:
	written []string // by write:, of all engines
	own     []string // its folders
	read    []string
	list    []string
	seen    []string // programs that were followed
	keep    []string // what it must not read
	err     error    // the first thing that leads out of its folder
}

func (r *reach) at(path string) string { return at(r.engine.Dir, path) }

func at(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}

// grant is what a path names that the user wrote: of read:, write: or dir:, a word of the command or
// a variable. A link that an engine left
// where it may write grants nothing.
func (r *reach) grant(path string) string {
	for _, dir := range r.written {
		if within(path, dir) && !within(real(path), real(dir)) {
			r.refuse(path, real(path))
		}
	}
	return real(path)
}

func (r *reach) refuse(path, to string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s leads to %s, which is neither in its folder nor an installed program: the keys command and read can name it", path, to)
	}
}

func (r *reach) allow(path string) {
	if _, err := os.Stat(path); err == nil {
		r.read = append(r.read, real(path))
	}
}

// wide reports whether a folder has everything of the user, or of everybody.
// What the command names there is allowed, not the folder.
func (r *reach) wide(dir string) bool {
	info, err := os.Stat(dir)
	return err != nil || r.home != "" && r.holdsHome(dir) || system(dir) || info.Mode()&os.ModeSticky != 0
}

// holdsHome reports whether the user's home folder is below dir, by whichever links.
func (r *reach) holdsHome(dir string) bool { return within(real(r.home), real(dir)) }

// folders finds the engine's own folders: those that its command names, that
// of its program or script, and the one in which it works.
func (r *reach) folders(files []string) {
	var own []string
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.IsDir() && r.straight(file) {
			own = append(own, real(file))
		}
	}
	for _, file := range files {
		dir := real(filepath.Dir(file))
		if r.installed(file) {
			dir = filepath.Dir(real(file)) // the user's own link
		}
		switch {
		case r.everybodys(dir):
			continue // an interpreter
		case !within(file, r.engine.Dir) || within(dir, real(r.engine.Dir)):
			own = append(own, dir)
		}
		break // a program of its own, or the script of an interpreter
	}
	own = append(own, real(r.engine.Dir))
	r.own = slices.DeleteFunc(own, r.wide)
	r.without(r.own)
}

// straight reports whether no link is on the way to a path that the command
// names, below its folder or the one in which the engine works: the engine may
// have brought the link.
func (r *reach) straight(path string) bool {
	dir := filepath.Dir(path)
	if within(path, r.engine.Dir) {
		dir = r.engine.Dir
	}
	return real(path) == filepath.Clean(real(dir)+strings.TrimPrefix(path, dir))
}

// leads reports whether something in the engine's folder may lead to a path.
func (r *reach) leads(path string) bool {
	path = real(path)
	below := func(dir string) bool { return within(path, dir) }
	if slices.ContainsFunc(r.granted, below) {
		return true
	}
	if slices.ContainsFunc(r.keep, below) {
		return false
	}
	return r.interpreter(path) || slices.ContainsFunc(r.own, func(dir string) bool {
		return below(dir) && !strings.Contains(path[len(dir):], "/.") && !database(path)
	})
}

// command allows the program, its interpreter and the files that the command
// and the engine's own variables name.
func (r *reach) command(files []string) {
	for i, file := range files {
		info, err := os.Stat(file)
		if !r.interpreter(file) {
			r.grant(file)
		}
		switch {
		case !r.straight(file) && !r.installed(file) && !r.leads(file):
			r.refuse(file, real(file))
		case i == 0:
			r.program(file, r.straight(filepath.Dir(file)) || r.installed(file), 0)
		case err == nil && !info.IsDir():
			r.allow(file)
		}
	}
	for _, word := range r.engine.Env {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range filepath.SplitList(value) {
			path = filepath.Clean(path)
			if filepath.IsAbs(path) && !r.holdsHome(path) && (r.straight(path) || r.leads(path)) {
				if !r.interpreter(path) {
					r.grant(path)
				}
				r.allow(path)
			}
		}
	}
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
// interpreter of a script. named is one that the user chose, by the command or
// by what is installed.
func (r *reach) program(path string, named bool, depth int) {
	if depth > 8 || slices.Contains(r.seen, path) {
		return
	}
	r.seen = append(r.seen, path)
	r.allow(path)
	r.prefix(path, named)
	next := shebang(path)
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		next = append(next, filepath.Clean(target))
	} else if resolved := real(path); resolved != path {
		next = append(next, resolved) // a folder on the way is a link
	}
	users := r.installed(path)
	for _, to := range next {
		if users || r.leads(to) {
			r.program(to, users, depth+1)
		} else {
			r.refuse(path, to)
		}
	}
}

// prefix allows what is installed with a program: PREFIX/bin/program has its
// libraries in PREFIX/lib.
func (r *reach) prefix(path string, named bool) {
	dir := filepath.Dir(path)
	above := filepath.Dir(dir)
	allowIn := func(dir string, names ...string) {
		for _, name := range names {
			switch file := filepath.Join(dir, name); {
			case r.interpreter(file):
				r.allow(file)
			case named && real(file) == filepath.Join(real(dir), name) || r.leads(file):
				r.some(file)
			}
		}
	}
	switch filepath.Base(dir) {
	case "bin", "Scripts":
		if r.holdsHome(above) {
			return
		}
		settings := filepath.Join(above, "pyvenv.cfg")
		_, err := os.Stat(settings)
		named = named || err == nil && slices.ContainsFunc(r.own, func(own string) bool { return within(real(above), own) })
		allowIn(above, libraries...)
		for line := range lines(settings, 100) {
			if key, home, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "home" {
				r.prefix(filepath.Join(strings.TrimSpace(home), "python"), false)
			}
		}
	case "shims": // of a version manager
		if r.interpreter(above) {
			r.allow(above)
		}
	}
	if filepath.Base(path) == "dotnet" {
		allowIn(dir, "host", "shared", "sdk")
	}
}

// libraries are what is installed beside a folder of programs.
var libraries = []string{"lib", "lib64", "libexec", "conf", "release", "pyvenv.cfg"}

// some allows a file, or of a folder what may be read.
func (r *reach) some(path string) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		r.entries(real(path))
		return
	}
	r.allow(path)
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
