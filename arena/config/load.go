// Package config reads match files: YAML in, an arena.Plan out, which nobody writes
// afterwards.
//
// It is strict. It reports all errors of a file at once, each with file, line,
// column and path, before any engine starts. An unknown key, a wrong type or a
// combination that does not fit is an error, never a default. The settings are
// declared in package arena, whose tags drive the decoder and the schema. What a
// command line gives becomes the same tree as a file. No other package imports
// yaml.v3.
package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
)

// Host is what match files refer to.
type Host struct {
	Games   []game.Game
	Players func(name string) game.Player    // the built-in engine of a game
	Self    string                           // this binary, which has the built-in engines
	Dir     string                           // the working directory, absolute
	Cores   int                              // for concurrency: auto
	Env     func(name string) (string, bool) // for ${NAME}; nil: leave it as it is
}

// Load reads the match file at path and applies sets, which are key.path=value
// words. The error is an Errors if the content is wrong.
func Load(path string, sets []string, host Host) (*arena.Plan, error) {
	text, err := files.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("match file: %w", err)
	}
	return Parse(path, text, sets, host)
}

// Parse is like Load for a text that was read from file.
func Parse(file string, text []byte, sets []string, host Host) (*arena.Plan, error) {
	r := newReader(file, host)
	if !r.load(text, sets) {
		return nil, r.err()
	}
	return r.plan(sets)
}

// plan decodes the tree and completes the plan. sets are recorded with it, without values
// of env.
func (r *reader) plan(sets []string) (*arena.Plan, error) {
	p := r.newPlan()
	r.findGame()
	r.roster(p)
	r.baselines()
	r.decode(r.root, valueOf(p), "", "")
	r.bind(p)
	r.complete(p)
	p.Overrides = arena.Map(sets, hideEnv)
	if err := r.err(); err != nil {
		return nil, err
	}
	return p, nil
}

func (r *reader) newPlan() *arena.Plan {
	p := &arena.Plan{File: r.file}
	for _, part := range []any{p, &p.Format, &p.Openings, &p.SPRT} {
		arena.SetDefaults(part)
	}
	return p
}

// hideEnv returns a --set word without values of env, which can be passwords: runs are
// shared.
func hideEnv(word string) string {
	path, value, _ := strings.Cut(word, "=")
	if parts := splitPath(path); slices.Contains(parts, "env") || strings.Contains(value, "env") {
		return path + "='(not kept)'"
	}
	return word
}

// maxFile is the largest size of a match file in bytes.
const maxFile = 1 << 20

// variable is ${NAME}, ${NAME:-default} or ${NAME:?set:unset}.
var variable = arena.Pattern(`\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^{}]*))?\}`)

// expand replaces environment variables in all values. ${NAME} must be set;
// ${NAME:-word} is word if NAME is not set; ${NAME:?yes:no} is yes if it is set
// and no otherwise. An engine option that becomes empty is not sent.
func (r *reader) expand(node *yaml.Node, path string) {
	switch {
	case r.host.Env == nil || r.origin[node] != "":
	case node.Kind == yaml.SequenceNode:
		for i, item := range node.Content {
			r.expand(item, fmt.Sprintf("%s[%d]", path, i))
		}
	case node.Kind == yaml.MappingNode:
		for i := 1; i < len(node.Content); i += 2 {
			r.expand(node.Content[i], join(path, node.Content[i-1].Value))
		}
	case node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "${"):
		node.Value = variable().ReplaceAllStringFunc(node.Value, func(word string) string {
			m := variable().FindStringSubmatch(word)
			value, err := r.variable(m[1], m[2], m[3])
			if err != nil {
				r.fault(node, path, err.Error())
			}
			return value
		})
		r.emptied[node] = node.Value == ""
		if node.Value != "" { // ${DEPTH:-6} is a number even in the quotes that YAML needs inside {…}
			node.Tag, node.Style = "", 0
			node.Tag = node.ShortTag()
		}
	}
}

func (r *reader) variable(name, kind, rest string) (string, error) {
	value, set := "", false
	if known := r.mine || slices.Contains(r.pass, name); known {
		value, set = r.host.Env(name)
		set = set && value != ""
	} else if kind == "" && name != "OUT" {
		return "", fmt.Errorf("a commit cannot ask for the variable %s of this machine, expected --env %[1]s on the command line", name)
	}
	switch {
	case kind == "?":
		yes, no, _ := strings.Cut(rest, ":")
		if set {
			return yes, nil
		}
		return no, nil
	case set:
		return value, nil
	case kind == "-":
		return rest, nil
	}
	return "", fmt.Errorf("environment variable %s is not set, expected a value (or ${%s:-default})", name, name)
}
