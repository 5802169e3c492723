package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
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

// tree is the match as a match file has it.
func (q *Quick) tree() (*yaml.Node, error) {
	names, engines, err := q.engines()
	if err != nil {
		return nil, err
	}
	limit, err := limitNode(q.Limit)
	if err != nil {
		return nil, err
	}
	name := q.Name
	if name == "" {
		name = strings.Join(names, " v ") + ", " + q.Game
		if text := strings.Trim(q.Limit, "{} "); text != "" {
			name += ", " + text
		}
	}
	seed := ""
	if q.Seed != 0 {
		seed = fmt.Sprint(q.Seed)
	}
	tournament := mapping()
	put(tournament, "format", word(q.Format))
	if q.Rounds != nil {
		put(tournament, "rounds", word(fmt.Sprint(*q.Rounds)))
	}
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, part := range []struct {
		key, words string
		node       *yaml.Node
	}{
		{"name", "", word(name)},
		{"game", "", word(q.Game)},
		{"rules", q.Rules, nil},
		{"engines", "", engines},
		{"tournament", "", tournament},
		{"openings", q.Openings, nil},
		{"limit", "", limit},
		{"sprt", q.SPRT, nil},
		{"concurrency", "", given(q.Concurrency)},
		{"seed", "", given(seed)},
	} {
		if part.node == nil {
			if part.node, err = short(part.key, part.words); err != nil {
				return nil, err
			}
		}
		if part.node != nil {
			put(root, part.key, part.node)
		}
	}
	return root, nil
}

// given is the node of a word, nil without one.
func given(text string) *yaml.Node {
	if text == "" {
		return nil
	}
	return word(text)
}

// engines returns the list of engines. They are named after their programs, with
// a number if a name repeats.
func (q *Quick) engines() (names []string, list *yaml.Node, err error) {
	list = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	taken := map[string]int{}
	for _, text := range q.Commands {
		name, command, named := strings.Cut(text, "=")
		if !named || strings.ContainsAny(name, " /\\'\"-") || name == "" {
			name, command, named = "", text, false
		}
		words, err := SplitWords(command)
		if err != nil {
			return nil, nil, fmt.Errorf("command %q: %w", text, err)
		}
		if !named {
			name = strings.TrimSuffix(filepath.Base(words[0]), ".exe")
		}
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		names = append(names, name)
		engine := mapping()
		put(engine, "name", word(name))
		if len(words) == 1 && words[0] == "builtin" {
			put(engine, "builtin", word("true"))
		} else {
			argv := put(engine, "command", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle})
			for _, w := range words {
				argv.Content = append(argv.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: w})
			}
		}
		if len(q.strong) > 0 {
			options := put(engine, "options", mapping())
			for _, o := range q.strong {
				put(options, o.Name, word(o.Value))
			}
		}
		list.Content = append(list.Content, engine)
	}
	return names, list, nil
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
