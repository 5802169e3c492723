package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Of finds the files that are in the hash of an engine, with their hashes: its program first, those
// that its command names, and those beside them. dir is where it starts. patterns name those
// beside; nil: they are the sources beside a script.
func Of(command []string, dir string, patterns []string) ([]File, error) {
	named := []string{command[0]}
	for _, word := range command[1:] {
		_, path := Argument(word)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if IsRegular(path) {
			named = append(named, path)
		}
	}
	root, further, err := beside(command, named, dir, patterns)
	if err != nil {
		return nil, err
	}
	var list []File
	for _, path := range named {
		list = append(list, File{Name: path, Path: path})
	}
	for _, path := range further { // they go by their names in root
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		list = append(list, File{Name: filepath.ToSlash(name), Path: path, Beside: true})
	}
	for i := range list {
		if list[i].Sum, err = Sum(list[i].Path); err != nil {
			return nil, fmt.Errorf("%s %w", list[i].Path, err)
		}
	}
	return list, nil
}

// IsRegular reports whether there is a regular file at path.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Argument splits a word of a command that may name a file: --net=PATH has a flag.
func Argument(word string) (flag, path string) {
	before, after, joined := strings.Cut(word, "=")
	if joined && strings.HasPrefix(word, "-") {
		return before + "=", after
	}
	return "", word
}

// Digest is the SHA-256 of a program. If there are files that its command names, such
// as a script or a network, it is the SHA-256 of all their hashes in order, and those
// beside them add their names.
func Digest(list []File) string {
	if len(list) == 0 {
		return ""
	}
	if len(list) == 1 {
		return list[0].Sum
	}
	all := sha256.New()
	for _, f := range list {
		sum, _ := hex.DecodeString(f.Sum)
		if f.Beside {
			fmt.Fprintf(all, "\x00%s\x00", f.Name)
		}
		all.Write(sum)
	}
	return hex.EncodeToString(all.Sum(nil))
}

// Bounds of the files beside a script.
const (
	mostBeside  = 500    // files
	mostEntries = 20_000 // that are looked at
)

// sources are the endings of what interpreters read. Scripts start and import such files, also of
// other languages.
var sources = strings.Fields(".py .pyw .js .mjs .cjs .ts .mts .cts .rb .pl .pm .lua .php .jl .r .R .tcl .scm .rkt .lisp .sh .bash")

func isSource(path string) bool { return slices.Contains(sources, filepath.Ext(path)) }

// Script returns which word of a command is the program that an interpreter from PATH
// runs, -1 if there is none.
func Script(command []string) int {
	if strings.ContainsAny(command[0], `/\`) {
		return -1
	}
	return slices.IndexFunc(command, func(word string) bool {
		return !strings.HasPrefix(word, "-") && !strings.Contains(word, " ") && isSource(word)
	})
}

// isScript reports whether a program names its interpreter.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 2)
	n, _ := f.Read(begin)
	return string(begin[:n]) == "#!"
}

// beside finds the files of an engine that its command does not name: those that match
// patterns, or, without any, the sources beside an interpreted script
// and below it. root is the folder of the script, or else of the program. named are the
// files of the command.
func beside(command, named []string, dir string, patterns []string) (root string, paths []string, err error) {
	root = filepath.Dir(named[0])
	script := isScript(named[0])
	if i := slices.IndexFunc(named[1:], isSource); i >= 0 {
		root, script = filepath.Dir(named[1+i]), true
	} else if !script && slices.Contains(command, "-m") && strings.HasPrefix(filepath.Base(command[0]), "py") { // python -m package
		root, script = dir, true
	}
	w := &walk{found: map[string]bool{}}
	for _, pattern := range patterns { // and all that is below folders that match
		paths, bad := filepath.Glob(pattern)
		if bad == nil && len(paths) == 0 {
			bad = errors.New("no file matches it")
		}
		for _, path := range paths {
			bad = errors.Join(bad, w.below(path, func(string) bool { return true }, false))
		}
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", pattern, bad))
		}
	}
	if patterns == nil && script {
		err = w.below(root, isSource, common(root))
	}
	if err != nil {
		return "", nil, fmt.Errorf("its files: %w, "+
			"expected files: with those that it reads, as in [lib/*.py]; files: [] for none", err)
	}
	for _, path := range named {
		delete(w.found, path)
	}
	return root, slices.Sorted(maps.Keys(w.found)), nil
}

// common reports whether a folder is not of the engine alone: that of the user, or of
// everybody. What is below it is not the engine's.
func common(dir string) bool {
	home, _ := os.UserHomeDir()
	info, err := os.Stat(dir)
	return dir == home || dir == filepath.Dir(dir) || err == nil && info.Mode()&os.ModeSticky != 0
}

// walk collects files within bounds.
type walk struct {
	found   map[string]bool
	entries int
}

// below adds a file, or the files of a folder, that are wanted. Hidden ones, caches, and what is
// installed are left out, and links to folders are not followed.
func (w *walk) below(root string, wanted func(path string) bool, flat bool) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, top := d.Name(), path == root
		w.entries++
		_, installed := os.Stat(filepath.Join(path, "pyvenv.cfg"))
		switch {
		case len(w.found) > mostBeside || w.entries > mostEntries:
			return fmt.Errorf("over %d files, or %d entries, in %s", mostBeside, mostEntries, root)
		case top && err != nil:
			return err
		case !top && (strings.HasPrefix(name, ".") || name == "__pycache__" || name == "node_modules"),
			!top && d.IsDir() && (flat || err != nil || installed == nil): // what cannot be read is not imported
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && wanted(path) && IsRegular(path): // no link to nothing
			w.found[path] = true
		}
		return nil
	})
}
