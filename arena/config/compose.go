package config

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/tournament"
	"thera/engine/game"
)

// Quick is a match described by command-line words instead of a file.
type Quick struct {
	Name        string
	Game        string
	Commands    []string // as in a shell; "builtin" is the built-in engine, "name=command" names it
	Format      string
	Rounds      *int   // nil: the default of the format
	Limit       string // "200ms", "60s+0.6s", "nodes=1000,max_move=5s" or YAML {…}
	Rules       string // "size=11" or YAML
	Openings    string // "random_plies=4" or YAML
	SPRT        string // "elo0=0,elo1=5" or YAML
	Concurrency string
	Seed        uint64

	// Takes reports whether the programs among the engines take the options. Then all
	// engines play at full strength, otherwise by their defaults; nil is no.
	Takes func(plan *arena.Plan, options []game.Option) (bool, error)

	strong []game.Option // of all engines
}

// defaultOpenings are the openings of a match without any, if its game always
// starts from the same position. Without them the same few games would repeat.
const defaultOpenings = "random_plies=4"

// Plan returns the plan that q describes, and its match file with sets applied. It
// adds openings if none are given and the game always starts from the same
// position, and lets all engines play as well as they can, or none. file is the name in
// errors.
func (q Quick) Plan(file string, sets []string, host Host) (*arena.Plan, []byte, error) {
	for asked := false; ; {
		root, err := q.tree()
		if err != nil {
			return nil, nil, err
		}
		r := newReader(file, host)
		if r.root = root; r.deep(root, 0) {
			return nil, nil, r.err()
		}
		r.apply(sets)
		whole, err := encode(root)
		if err != nil {
			return nil, nil, err
		}
		r.expand(root, "")
		plan, err := r.plan(sets)
		if err != nil {
			return nil, nil, err
		}
		if full := plan.Player.FullStrength(); full != nil && !asked {
			asked = true
			all, err := q.take(plan, full)
			if err != nil {
				return nil, nil, err
			}
			if all {
				q.strong = full
				continue
			}
		}
		if q.Openings == "" && !r.given("openings") && tournament.Fixed(plan.Game, 0) {
			q.Openings = defaultOpenings
			continue
		}
		return plan, whole, nil
	}
}

// take reports whether all engines take the options. The built-in one does.
func (q Quick) take(plan *arena.Plan, options []game.Option) (bool, error) {
	if !slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return !e.Builtin }) {
		return true, nil
	}
	if q.Takes == nil || !slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return e.Builtin }) {
		return false, nil
	}
	return q.Takes(plan, options)
}

// A match without a file, as YAML has it. The pointers are parts that may be missing.
type quickMatch struct {
	Name, Game string
	Rules      *yaml.Node `yaml:",omitempty"`
	Engines    []quickEngine
	Tournament quickFormat `yaml:",flow"`
	Openings   *yaml.Node  `yaml:",omitempty"`
	Limit      *yaml.Node  `yaml:",omitempty"`
	SPRT       *yaml.Node  `yaml:",omitempty"`

	Concurrency *yaml.Node `yaml:",omitempty"`
	Seed        uint64     `yaml:",omitempty"`
}

type quickFormat struct {
	Format string
	Rounds *int `yaml:",omitempty"`
}

type quickEngine struct {
	Name    string
	Builtin bool       `yaml:",omitempty"`
	Command []string   `yaml:",omitempty"`
	Options *yaml.Node `yaml:",omitempty"`
}

// tree is the match as a match file has it.
func (q *Quick) tree() (*yaml.Node, error) {
	engines, err := q.engines()
	if err != nil {
		return nil, err
	}
	m := quickMatch{Name: q.Name, Game: q.Game, Engines: engines, Seed: q.Seed}
	m.Tournament = quickFormat{q.Format, q.Rounds}
	if m.Name == "" {
		for i, e := range engines {
			m.Name += []string{"", " v "}[min(i, 1)] + e.Name
		}
		m.Name += ", " + q.Game
		if text := strings.Trim(q.Limit, "{} "); text != "" {
			m.Name += ", " + text
		}
	}
	if q.Concurrency != "" {
		m.Concurrency = word(q.Concurrency)
	}
	if m.Limit, err = limitNode(q.Limit); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		key, words string
		into       **yaml.Node
	}{{"rules", q.Rules, &m.Rules}, {"openings", q.Openings, &m.Openings}, {"sprt", q.SPRT, &m.SPRT}} {
		if *part.into, err = short(part.key, part.words); err != nil {
			return nil, err
		}
	}
	root := &yaml.Node{}
	if err := root.Encode(m); err != nil {
		return nil, fmt.Errorf("writing the match file: %w", err)
	}
	for _, engine := range below(root, "engines").Content {
		engine.Style = yaml.FlowStyle
	}
	return root, nil
}

// engines returns the engines. They are named after their programs, or the scripts of
// interpreters, with a number if a name repeats.
func (q *Quick) engines() (engines []quickEngine, err error) {
	taken := map[string]int{}
	for _, text := range q.Commands {
		var e quickEngine
		name, command, named := strings.Cut(text, "=")
		if !named || strings.ContainsAny(name, " /\\'\"-") || name == "" {
			name, command = "", text
		}
		if e.Command, err = SplitWords(command); err != nil {
			return nil, fmt.Errorf("command %q: %w", text, err)
		}
		e.Name = cmp.Or(name, strings.TrimSuffix(filepath.Base(e.Command[max(files.Script(e.Command), 0)]), ".exe"))
		if taken[e.Name]++; taken[e.Name] > 1 {
			e.Name = fmt.Sprintf("%s-%d", e.Name, taken[e.Name])
		}
		if len(e.Command) == 1 && e.Command[0] == "builtin" {
			e.Builtin, e.Command = true, nil
		}
		if len(q.strong) > 0 {
			e.Options = mapping()
			for _, o := range q.strong {
				put(e.Options, o.Name, word(o.Value))
			}
		}
		engines = append(engines, e)
	}
	return engines, nil
}

// File is the match file that q describes, with sets applied, as a start for one's own.
// Without a name in q the run is named after the file. schema is where editors find the
// schema, which says what each key means, relative to the file.
func (q Quick) File(file, schema string, sets []string, host Host) ([]byte, error) {
	_, text, err := q.Plan(file, sets, host)
	if q.Name == "" {
		_, text, _ = bytes.Cut(text, []byte("\n")) // it is in the first line
	}
	const head = "# yaml-language-server: $schema=%s\n# A match: thera run %s plays it, and resumes it after a stop.\n" +
		"# Editors that read the schema complete the keys and say what each one means.\n"
	return append(fmt.Appendf(nil, head, schema, file), text...), err
}

// LimitSet returns the --set word for a limit in the short form of Quick.Limit.
func LimitSet(limit string) (string, error) {
	node, err := limitNode(limit)
	if err != nil {
		return "", err
	}
	value, err := encode(node)
	return "limit=" + strings.TrimSpace(string(value)), err
}

// limitNode is a limit as a command line gives it: a duration is a time for each move,
// and one with a + or a / is a clock.
func limitNode(text string) (*yaml.Node, error) {
	switch text = strings.TrimSpace(text); {
	case text == "" || strings.ContainsAny(text, "={"):
	case strings.ContainsAny(text, "+/"):
		if _, err := parseClock(text); err != nil {
			return nil, fmt.Errorf("limit: %w, expected %s", err, arena.LimitUsage())
		}
		text = "clock=" + text
	default:
		if _, err := parseDuration(text); err != nil {
			return nil, fmt.Errorf("limit %w, expected %s", err, arena.LimitUsage())
		}
		text = "move=" + text
	}
	return short("limit", text)
}

// short is a mapping as a command line gives it, in key=value words or in YAML; nil
// without any.
func short(key, text string) (*yaml.Node, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	if strings.HasPrefix(text, "{") {
		node, err := parseValue(text)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w, expected {key: value}", key, text, err)
		}
		return placeless(node), nil
	}
	node := mapping()
	for _, pair := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%s %q: expected key=value", key, pair)
		}
		put(node, strings.TrimSpace(name), word(strings.TrimSpace(value)))
	}
	return node, nil
}

// placeless is a node without its place in the text that it was read from, which is no
// file.
func placeless(node *yaml.Node) *yaml.Node {
	node.Line, node.Column = 0, 0
	for _, child := range node.Content {
		placeless(child)
	}
	return node
}
