package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
)

// LoadTheirs is LoadContest for a file that comes with the commits, and so may be a
// stranger's, as that of a pull request. Such a file cannot say what its engine may
// read, change or reach on this machine; the words of sets can, since they are those
// of the person who plays. pass names the variables that ${NAME} may stand for.
func LoadTheirs(path string, sets []string, host Host, pass []string) (*Contest, error) {
	if _, ok := inside(filepath.Dir(path), path); !ok {
		return nil, fmt.Errorf("%s is a link out of its folder, and a commit may have it: expected a file", path)
	}
	r := newReader(path, host)
	r.mine, r.pass = false, pass
	return loadContest(r, sets)
}

// theirs refuses what a file of a stranger must not say. What the tag stranger of a
// setting says is refused where it is read.
func (r *reader) theirs(p *arena.Plan, e *arena.EngineSpec) {
	refuse := func(path, what, flag string) { r.refuse(r.at[path], path, what, flag) }
	if r.given("engine.sandbox") && e.Sandbox != "require" {
		refuse("engine.sandbox", "less than the whole sandbox", "--sandbox auto or --sandbox off")
	}
	if r.given("engine.git") && r.leaves(e.Git) {
		refuse("engine.git", "a repository that is not beside or below it", "--set engine.git=…")
	}
	for i, word := range e.Command {
		_, named := files.Argument(word)
		out := strings.HasPrefix(word, "$OUT/") || strings.HasPrefix(word, "${OUT}/")
		if i == 0 && !out && strings.ContainsAny(word, `/\`) || leadsOut(named) {
			const path = "engine.command"
			at := r.at[fmt.Sprintf("%s[%d]", path, i)] // nil where the command is one text
			r.refuse(cmp.Or(at, r.at[path]), path, notInOut(word), "--set engine.command=…")
		}
	}
	for _, word := range e.Env {
		if name, value, _ := strings.Cut(word, "="); leadsOut(value) {
			refuse("engine.env."+name, notInOut(value), "--set engine.env."+name+"=…")
		}
	}
	if at := r.at["rules.law"]; at != nil && at.Value != game.BothEngines {
		refuse("rules.law", "a program of this machine", "--set rules.law=PROGRAM")
	}
	if p.Openings.File != "" && r.leaves(p.Openings.File) {
		refuse("openings.file", "a file that is not beside it", "--set openings.file=FILE")
	}
}

func notInOut(word string) string { return fmt.Sprintf("%.100q, which is not in $OUT", word) }

// refuse reports a value of a stranger's file, unless it is from the command line.
func (r *reader) refuse(node *yaml.Node, path, what, flag string) {
	if !r.mine && r.origin[node] == "" {
		r.refused = true
		r.fault(node, path, fmt.Sprintf("a commit cannot ask for %s, expected %s on the command line", what, flag))
	}
}

// leaves reports whether a path leads out of the folder of the file.
func (r *reader) leaves(path string) bool {
	path = filepath.FromSlash(path)
	if !filepath.IsLocal(path) || goesHidden(path) {
		return true
	}
	return slices.ContainsFunc([]string{filepath.Dir(r.file), r.host.Dir}, func(dir string) bool {
		to, ok := inside(dir, filepath.Join(dir, path))
		return !ok || goesHidden(to) // by a link
	})
}

// goesHidden reports whether a relative path goes through a hidden folder: that of the settings of git,
// for example.
func goesHidden(path string) bool {
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "."
	})
}

// inside is where a path in dir leads to, relative to dir, "" if it leads nowhere. It is
// not ok if it is, or goes through, a link out of dir, perhaps to what is not there yet.
func inside(dir, path string) (to string, ok bool) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", true // there is nothing
	}
	if to, err = filepath.EvalSymlinks(path); err != nil {
		_, err = os.Lstat(path)
		return "", err != nil
	}
	to, err = filepath.Rel(root, to)
	return to, err == nil && filepath.IsLocal(to)
}

// leadsOut reports whether a list of paths, as words and variables have them, has one that is not
// in $OUT and not relative to it.
func leadsOut(list string) bool {
	return slices.ContainsFunc(filepath.SplitList(list), func(part string) bool {
		parts := strings.FieldsFunc(part, func(r rune) bool { return r == '/' || r == filepath.Separator })
		return filepath.IsAbs(part) || strings.HasPrefix(part, "/") || slices.Contains(parts, "..")
	})
}
