package files

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of the files beside a script.
const (
	mostBeside  = 500      // files
	sizeBeside  = 64 << 20 // bytes of all
	mostEntries = 20_000   // that are looked at
)

// languages are the endings of sources that may import each other, by the names of
// the interpreters.
var languages = []struct {
	interpreters []string
	endings      []string
}{
	{[]string{"python", "pypy"}, []string{".py", ".pyw"}},
	{[]string{"node", "nodejs", "deno", "bun"}, []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"}},
	{[]string{"ruby"}, []string{".rb"}},
	{[]string{"perl"}, []string{".pl", ".pm"}},
	{[]string{"lua", "luajit"}, []string{".lua"}},
	{[]string{"php"}, []string{".php"}},
	{[]string{"julia"}, []string{".jl"}},
	{[]string{"Rscript"}, []string{".r", ".R"}},
	{[]string{"tclsh"}, []string{".tcl"}},
	{[]string{"guile", "racket", "sbcl"}, []string{".scm", ".rkt", ".lisp"}},
	{[]string{"sh", "bash", "dash", "zsh", "ksh"}, []string{".sh", ".bash"}},
}

// spoken are the endings of the language of an interpreter, nil for another program.
// Shell scripts start scripts of all languages.
func spoken(interpreter string) []string {
	name := strings.TrimRight(strings.TrimSuffix(filepath.Base(interpreter), ".exe"), "0123456789.-")
	var all []string
	for i, l := range languages {
		all = append(all, l.endings...)
		switch known := slices.Contains(l.interpreters, name); {
		case known && i == len(languages)-1: // a shell
			return all
		case known:
			return l.endings
		}
	}
	return nil
}

// sourceOf are the endings of the language of a source.
func sourceOf(file string) []string {
	for _, l := range languages {
		if slices.Contains(l.endings, filepath.Ext(file)) {
			return spoken(l.interpreters[0])
		}
	}
	return nil
}

// shebang is the interpreter of a script, "" of another file.
func shebang(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _, _ := bufio.NewReaderSize(f, 4096).ReadLine()
	text, ok := strings.CutPrefix(string(line), "#!")
	words := strings.Fields(text)
	if !ok || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) == "env" {
		for _, word := range words[1:] {
			if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
				return word
			}
		}
	}
	return words[0]
}

// beside finds the files of an engine that its command does not name: those that match
// patterns, or, without any, the sources of the same language beside an interpreted script
// and below it. root is the folder of the script, or else of the program. named are the
// files of the command.
func beside(command, named []string, dir string, patterns []string) (root string, paths []string, err error) {
	var endings []string
	root = filepath.Dir(named[0])
	for _, path := range named[1:] {
		if endings = sourceOf(path); endings != nil {
			root = filepath.Dir(path)
			break
		}
	}
	if endings == nil {
		endings = spoken(shebang(named[0]))
	}
	if endings == nil && slices.Contains(command, "-m") { // python -m package
		endings, root = spoken(command[0]), dir
	}
	w := &walk{found: map[string]bool{}, left: mostEntries}
	switch {
	case patterns != nil:
		for _, pattern := range patterns {
			err = errors.Join(err, w.pattern(pattern))
		}
	case endings != nil:
		wanted := func(path string) bool { return slices.Contains(endings, filepath.Ext(path)) }
		err = w.below(root, wanted, common(root))
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
	found map[string]bool
	size  int64
	left  int // entries
}

func (w *walk) add(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || w.found[path] {
		return nil // a link to nothing
	}
	w.found[path] = true
	w.size += info.Size()
	if len(w.found) > mostBeside || w.size > sizeBeside {
		return fmt.Errorf("over %d files or %d MiB", mostBeside, sizeBeside>>20)
	}
	return nil
}

// pattern adds the files that match a pattern, and those below folders that do.
func (w *walk) pattern(pattern string) error {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("%s: %w", pattern, err)
	}
	if len(paths) == 0 {
		return fmt.Errorf("no file matches %s", pattern)
	}
	for _, path := range paths {
		err := w.add(path)
		if info, failed := os.Stat(path); err == nil && failed == nil && info.IsDir() {
			err = w.below(path, func(string) bool { return true }, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// below adds the files of a folder that are wanted. Hidden ones, caches, and what is
// installed are left out, and links to folders are not followed.
func (w *walk) below(root string, wanted func(path string) bool, flat bool) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if w.left--; w.left < 0 {
			return fmt.Errorf("over %d entries in %s", mostEntries, root)
		}
		name := d.Name()
		switch {
		case path == root:
			return err
		case strings.HasPrefix(name, "."), name == "__pycache__", name == "node_modules":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.IsDir():
			if wanted(path) {
				return w.add(path)
			}
			return nil
		case flat || err != nil: // it cannot be read, and so not imported
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "pyvenv.cfg")); err == nil {
			return fs.SkipDir
		}
		return nil
	})
}
