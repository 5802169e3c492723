package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
)

// maxPaths bounds the paths of a policy: each costs time at every start.
const maxPaths = 4096

// For is the policy of an engine. It reads what is installed on this machine, the
// files that its command and its variables name, and its folders without hidden
// files, databases and what belongs to the others. secret are further files that it must
// not read. Nothing in its folder leads further, no link and no first line of a script, except
// to what it may read anyway.
func For(e arena.EngineSpec, others []arena.EngineSpec, secret []string) (Policy, error) {
	return policy(e, others, secret, map[string]bool{})
}

// policy is For, which looks for secrets in each folder once.
func policy(e arena.EngineSpec, others []arena.EngineSpec, secret []string, secrets map[string]bool) (Policy, error) {
	home, _ := os.UserHomeDir()
	e.Dir = at(e.Dir, "")
	r := &reach{engine: e, home: real(home), installs: findInstalls(home), seen: map[string]bool{}, secrets: secrets}
	for _, engine := range append([]arena.EngineSpec{e}, others...) {
		for _, dir := range engine.Write {
			r.written = append(r.written, at(engine.Dir, dir))
		}
	}
	for _, path := range slices.Concat(e.Read, e.Write) {
		r.granted = append(r.granted, r.grant(r.at(path)))
	}
	r.grant(e.Dir)
	files := r.named()
	r.dirs = r.folders(files)
	r.without(r.dirs)
	for _, other := range others {
		other.Dir = at(other.Dir, "")
		r.keepOther(other, files)
	}
	// The certificates of ASP.NET are among what is installed.
	for _, path := range slices.Concat(secret, []string{filepath.Join(home, ".dotnet", "corefx")}) {
		r.keep = append(r.keep, real(at("", path)))
	}
	r.command(files)
	if len(e.Through) > 0 {
		r.allow(e.Through[0])
	}
	for _, dir := range r.dirs {
		r.entries(dir)
	}
	for _, root := range r.roots {
		r.some(root)
	}
	for _, path := range System() {
		if path = real(path); slices.ContainsFunc(r.keep, func(k string) bool { return Within(k, path) }) {
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
	private := slices.DeleteFunc(slices.Concat(r.read, r.granted), func(path string) bool { return r.everybodys(path) || r.wide(path) })
	if err := refuseUnreadable(private); err != nil {
		return Policy{}, err
	}
	read := slices.Sorted(slices.Values(append(r.read, r.granted[:len(e.Read)]...)))
	return Policy{Dir: e.Dir, Network: e.Network, Self: e.Self(), List: r.list, Read: slices.Compact(read), Write: r.granted[len(e.Read):]}, nil
}

// reach collects what one engine may read.
type reach struct {
	engine arena.EngineSpec
	home   string
	installs
	granted []string // by read: and write:
	written []string // by write:, of all engines
	dirs    []string // its folders
	read    []string
	list    []string
	seen    map[string]bool // folders, by entries
	secrets map[string]bool // what holdsSecret said of folders, also for the other engines
	keep    []string        // what it must not read
	err     error           // the first thing that leads out of its folder
}

func (r *reach) at(path string) string { return at(r.engine.Dir, path) }

// at is where a path is that an engine in a folder names.
func at(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if all, err := filepath.Abs(path); err == nil {
		return all
	}
	return path
}

func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}

// grant is what a path names that the user wrote: of read:, write: or dir:, a word of the
// command or a variable. A link that an engine left where it may write grants nothing.
func (r *reach) grant(path string) string {
	for _, dir := range r.written {
		if Within(path, dir) && !Within(real(path), real(dir)) {
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
	return err != nil || r.holdsHome(dir) || system(dir) || info.Mode()&os.ModeSticky != 0
}

// holdsHome reports whether the user's home folder is below dir, by whichever links.
func (r *reach) holdsHome(dir string) bool { return Within(r.home, real(dir)) }

// folders finds the engine's folders: those that its command names, that
// of its program or script, and the one in which it works.
func (r *reach) folders(files []string) []string {
	dirs := []string{real(r.engine.Dir)}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.IsDir() && r.straight(file) {
			dirs = append(dirs, real(file))
		}
	}
	for _, file := range files {
		dir := real(filepath.Dir(file))
		if r.installed(file) {
			dir = filepath.Dir(real(file)) // the user's link
		}
		switch {
		case r.everybodys(dir):
			continue // an interpreter
		case !Within(file, r.engine.Dir) || Within(dir, dirs[0]):
			dirs = append(dirs, dir)
		}
		break // another program, or the script of an interpreter
	}
	return slices.DeleteFunc(dirs, r.wide)
}

// straight reports whether no link is on the way to a path that the command
// names, below its folder or the one in which the engine works: the engine may
// have brought the link.
func (r *reach) straight(path string) bool {
	dir := filepath.Dir(path)
	if Within(path, r.engine.Dir) {
		dir = r.engine.Dir
	}
	return straight(dir, path)
}

// leads reports whether something in the engine's folder may lead to a path.
func (r *reach) leads(path string) bool {
	path = real(path)
	below := func(dir string) bool { return Within(path, dir) }
	if slices.ContainsFunc(r.granted, below) {
		return true
	}
	return !slices.ContainsFunc(r.keep, below) && (r.interpreter(path) || slices.ContainsFunc(r.dirs, func(dir string) bool {
		return below(dir) && !strings.Contains(path[len(dir):], "/.") && !database(path)
	}))
}

// chosen reports whether a path that the user wrote may be read, and not another one to
// which an engine brought a link.
func (r *reach) chosen(path string) bool {
	if !r.interpreter(path) {
		r.grant(path)
	}
	return r.straight(path) || r.installed(path) || r.leads(path)
}

// command allows the program and the files that the command and the engine's variables
// name.
func (r *reach) command(files []string) {
	for i, file := range files {
		info, err := os.Stat(file)
		switch {
		case !r.chosen(file):
			r.refuse(file, real(file))
		case i == 0:
			r.program(file)
		case err == nil && !info.IsDir():
			r.allow(file)
		}
	}
	for _, word := range r.engine.Env {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range filepath.SplitList(value) {
			if path = filepath.Clean(path); filepath.IsAbs(path) && !r.holdsHome(path) && r.chosen(path) {
				r.allow(path)
			}
		}
	}
}

// named are the program and the files and folders that further words name.
func (r *reach) named() []string {
	e := &r.engine
	if len(e.Command) == 0 {
		return nil
	}
	program := e.Command[0]
	if !strings.ContainsRune(program, '/') {
		if found, err := exec.LookPath(program); err == nil {
			program = found
		}
	}
	files := []string{r.at(program)}
	for _, word := range e.Command[1:] {
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

// program allows what a program needs: the file, what is installed with it and, of a
// script, the same of its interpreter.
func (r *reach) program(path string) {
	users := r.straight(filepath.Dir(path)) || r.installed(path) // the user chose its folder
	for range 8 {
		to := real(path)
		r.allow(to)
		r.beside(path, users)
		r.beside(to, slices.Contains(r.bins, filepath.Dir(path)))
		next := shebang(to)
		if users = r.installed(to); next == "" {
			return
		}
		if !users && !r.leads(next) {
			r.refuse(path, next)
			return
		}
		path = next
	}
}

// libraries are what is installed beside a folder of programs.
var libraries = []string{"lib", "lib64", "libexec", "conf", "release", "pyvenv.cfg"}

// beside allows what is installed with a program: PREFIX/bin/program has its libraries in
// PREFIX/lib. users says that the user chose PREFIX.
func (r *reach) beside(program string, users bool) {
	bin := filepath.Dir(program)
	prefix := filepath.Dir(bin)
	if base := filepath.Base(bin); base != "bin" && base != "Scripts" || r.holdsHome(prefix) {
		return
	}
	users = users || slices.ContainsFunc(r.dirs, func(dir string) bool { return Within(real(prefix), dir) })
	for _, name := range libraries {
		path := filepath.Join(prefix, name)
		switch chosen := users && straight(prefix, path); {
		case chosen && r.everybodys(real(path)): // also in the folder of another engine
			r.allow(path)
		case chosen || r.leads(path):
			r.some(path)
		}
	}
}

// straight reports whether no link is on the way from a folder to a path below it.
func straight(dir, path string) bool {
	return real(path) == filepath.Clean(real(dir)+strings.TrimPrefix(path, dir))
}

// some allows a file, or of a folder what may be read.
func (r *reach) some(path string) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		r.entries(real(path))
	} else {
		r.allow(path)
	}
}

// shebang is the program that the first line of a script names, "" if it names none.
func shebang(path string) string {
	text, ok := strings.CutPrefix(firstLine(path), "#!")
	words := strings.Fields(text)
	if !ok || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) == "env" {
		for _, word := range words[1:] {
			if found, err := exec.LookPath(word); err == nil && !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
				return found
			}
		}
	}
	return words[0]
}

// firstLine is the first line of a file; a long one is cut.
func firstLine(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	line, _, _ := bufio.NewReaderSize(file, 4096).ReadLine()
	return string(line)
}
