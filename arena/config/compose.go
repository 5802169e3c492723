package config

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
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

	strong []game.Option // of built-in engines
}

// defaultOpenings are the openings of a match without any, if its game always
// starts from the same position. Without them the same few games would repeat.
const defaultOpenings = "random_plies=4"

// Plan returns the plan that q describes, and its match file with sets applied. It
// adds openings if none are given and the game always starts from the same
// position, and lets built-in engines play as well as they can. file is the name in
// errors.
func (q Quick) Plan(file string, sets []string, host Host) (*arena.Plan, []byte, error) {
	hashes := map[string]string{}
	for {
		text, err := q.compose()
		if err != nil {
			return nil, nil, err
		}
		r, plan := resolve(file, text, sets, host, hashes, nil)
		if err := r.err(); err != nil {
			return nil, nil, err
		}
		if full := plan.Game.FullStrength(); full != nil && q.strong == nil {
			q.strong = full
			continue
		}
		if q.Openings == "" && !r.given("openings") && startsAlike(plan.Game) {
			q.Openings = defaultOpenings
			continue
		}
		record(plan, text, sets)
		text, err = overlay(text, sets)
		return plan, text, err
	}
}

// startsAlike reports whether a game's start does not depend on the seed.
func startsAlike(g game.Game) bool {
	texts := map[string]bool{}
	for seed := range uint64(8) {
		pos, err := g.Start(0, seed)
		if err != nil {
			return false
		}
		texts[pos.String()] = true
	}
	return len(texts) == 1
}

// compose writes the match file.
func (q Quick) compose() ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	names, engines, err := q.engines()
	if err != nil {
		return nil, err
	}
	limit, err := q.limit()
	if err != nil {
		return nil, err
	}
	tournament := flow()
	put(tournament, "format", word(q.Format))
	if q.Rounds != nil {
		put(tournament, "rounds", word(fmt.Sprint(*q.Rounds)))
	}
	name := q.Name
	if name == "" {
		name = strings.Join(names, " v ") + ", " + q.Game
		if text := strings.Trim(q.Limit, "{} "); text != "" {
			name += ", " + text
		}
	}
	put(root, "name", word(name))
	put(root, "game", word(q.Game))
	if err := q.part(root, "rules", q.Rules); err != nil {
		return nil, err
	}
	put(root, "engines", engines)
	put(root, "tournament", tournament)
	for _, part := range []struct{ key, text string }{{"openings", q.Openings}, {"limit", limit}, {"sprt", q.SPRT}} {
		if err := q.part(root, part.key, part.text); err != nil {
			return nil, err
		}
	}
	if q.Concurrency != "" {
		put(root, "concurrency", word(q.Concurrency))
	}
	if q.Seed != 0 {
		put(root, "seed", word(fmt.Sprint(q.Seed)))
	}
	return encode(root)
}

// overlay applies key.path=value words to a match file.
func overlay(text []byte, sets []string) ([]byte, error) {
	c := newCollector("match", string(text))
	root := c.parse(text)
	for _, set := range sets {
		if root != nil {
			c.set(root, set)
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return encode(root)
}

func encode(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("writing the match file: %w", err)
	}
	return out.Bytes(), enc.Close()
}

func flow() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle} }

// word returns a plain scalar, whose type YAML finds from its text.
func word(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	n.Tag = n.ShortTag()
	return n
}

func put(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}

// engines returns the list of engines. They are named after their programs, with
// a number if a name repeats.
func (q Quick) engines() (names []string, list *yaml.Node, err error) {
	list = &yaml.Node{Kind: yaml.SequenceNode}
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
		engine := flow()
		put(engine, "name", word(name))
		if len(words) == 1 && words[0] == "builtin" {
			put(engine, "builtin", word("true"))
			if len(q.strong) > 0 {
				options := flow()
				for _, o := range q.strong {
					put(options, o.Name, word(o.Value))
				}
				put(engine, "options", options)
			}
		} else {
			argv := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, w := range words {
				argv.Content = append(argv.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: w})
			}
			put(engine, "command", argv)
		}
		list.Content = append(list.Content, engine)
	}
	return names, list, nil
}

// LimitSet returns the --set word for a limit in the short form of Quick.Limit.
func LimitSet(limit string) (string, error) {
	q := Quick{Limit: limit}
	text, err := q.limit()
	if err != nil {
		return "", err
	}
	root := flow()
	if err := q.part(root, "limit", text); err != nil {
		return "", err
	}
	value, err := encode(root.Content[1])
	return "limit=" + strings.TrimSpace(string(value)), err
}

// limit adds the kind to the text of a limit: a duration is a time for each move,
// and one with a + or a / is a clock.
func (q Quick) limit() (string, error) {
	switch text := strings.TrimSpace(q.Limit); {
	case text == "" || strings.ContainsAny(text, "={"):
		return text, nil
	case strings.ContainsAny(text, "+/"):
		if _, err := parseClock(text); err != nil {
			return "", fmt.Errorf("limit: %w, expected %s", err, arena.LimitUsage())
		}
		return "clock=" + text, nil
	default:
		if _, err := parseDuration(text); err != nil {
			return "", fmt.Errorf("limit %w, expected %s", err, arena.LimitUsage())
		}
		return "move=" + text, nil
	}
}

// part adds a mapping under key, from key=value words or from YAML.
func (q Quick) part(root *yaml.Node, key, text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if strings.HasPrefix(text, "{") {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
			return fmt.Errorf("%s %s: not YAML, expected {key: value}", key, text)
		}
		put(root, key, doc.Content[0])
		return nil
	}
	mapping := flow()
	for _, pair := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return fmt.Errorf("%s %q: expected key=value", key, pair)
		}
		put(mapping, strings.TrimSpace(name), word(strings.TrimSpace(value)))
	}
	put(root, key, mapping)
	return nil
}
