package config

import (
	"os"

	"thera/arena"
)

// source checks an engine that is built from a commit. Its program is known
// after the build.
func (r *reader) source(path, binary string, e *arena.EngineSpec) {
	switch {
	case e.Builtin || binary != "":
		r.bad(path+".git", "git together with builtin or binary, expected one of them")
	case e.Build == "":
		r.bad(path, "git without build, expected the command that builds the engine into $OUT")
	case e.Files != nil:
		r.bad(path+".files", "files with git, expected none: the commit and its build are the hash")
	case len(e.Command) == 0:
		r.bad(path, "git without command, expected what starts the build, as in [$OUT/engine]")
	}
	dir := r.nextTo(e.Git)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		r.bad(path+".git", "no folder %s, expected a git repository next to the match file", e.Git)
	}
	e.Git = dir
}

// homeless reports keys that mean nothing without git.
func (r *reader) homeless(path string, e *arena.EngineSpec) bool {
	found := false
	for _, k := range [][2]string{{"ref", e.Ref}, {"fetch", e.Fetch}, {"build", e.Build}, {"bench", e.Bench}} {
		if k[1] != "" {
			r.bad(path+"."+k[0], "%s without git, expected the repository to build from", k[0])
			found = true
		}
	}
	return found
}
