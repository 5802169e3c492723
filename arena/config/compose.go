package config

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/tournament"
)

// Quick is a match that the words of a command line describe, without a file.
type Quick struct {
	Commands []string // as in a shell; "builtin" is the built-in engine, "name=command" names it
	Words    []string // key.path=value, as Word makes them
	Name     string   // of the run
	About    string   // without a name: what stands after the engines in it; "": the run is named after its file
}

// defaultOpenings are the openings of a match without any, if its game always
// starts from the same position. Without them the same few games would repeat.
const defaultOpenings = "openings.random_plies=4"

// Plan returns the plan that q describes, and its match file with sets applied. It
// adds openings if none are given and the game always starts from the same
// position, and lets built-in engines play as well as they can. file is the name in
// errors.
func (q Quick) Plan(file string, sets []string, host Host) (*arena.Plan, []byte, error) {
	run, engines, err := q.given()
	if err != nil {
		return nil, nil, err
	}
	r := newReader(file, host)
	r.root = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	keys := slices.Collect(arena.Fields(valueOf(&arena.Plan{})))
	for _, s := range keys { // in the order of declaration
		put(r.root, s.Key, &yaml.Node{Kind: yaml.ScalarNode, Tag: null})
	}
	put(r.root, "engines", engines)
	if run != "" {
		put(r.root, "name", scalar(run))
	}
	for _, word := range q.Words {
		r.set(file, word)
	}
	r.apply(sets)
	r.findGame()
	if at := below(r.root, "openings"); at != nil && at.Tag == null && r.game != nil && tournament.Fixed(r.game, 0) {
		r.set(file, defaultOpenings)
	}
	r.strengthen()
	for _, s := range keys {
		if at := below(r.root, s.Key); at != nil && at.Tag == null {
			cut(r.root, s.Key)
		}
	}
	text, err := encode(r.root)
	if err != nil {
		return nil, nil, err
	}
	r.expand(r.root, "")
	plan, err := r.plan(sets)
	return plan, text, err
}

// strengthen gives built-in engines the options of full strength that they do not have.
func (r *reader) strengthen() {
	list := below(r.root, "engines")
	if list == nil || r.game == nil || r.player() == nil {
		return
	}
	for i, engine := range list.Content {
		for _, o := range r.player().FullStrength() {
			options := cmp.Or(below(engine, "options"), mapping())
			if below(engine, "builtin") != nil && below(options, o.Name) == nil {
				r.set(r.file, fmt.Sprintf("engines.%d.options.%s=%s", i, o.Name, o.Value))
			}
		}
	}
}

// given returns the name of the run and its engines. They are named after
// their programs, or the scripts of interpreters, with a number if a name repeats.
func (q Quick) given() (run string, engines *yaml.Node, err error) {
	engines = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	taken := map[string]int{}
	for i, text := range q.Commands {
		name, command, named := strings.Cut(text, "=")
		if !named || strings.ContainsAny(name, " /\\'\"-") || name == "" {
			name, command = "", text
		}
		if name != "" && taken[name] > 0 {
			return "", nil, fmt.Errorf("command %q: another engine has the name %s", text, name)
		}
		words, err := SplitWords(command)
		if err != nil {
			return "", nil, fmt.Errorf("command %q: %w", text, err)
		}
		program := words[max(files.Script(words), 0)]
		if filepath.Ext(program) == ".toml" { // it is named as the folder that it is in
			program = filepath.Dir(program)
		}
		name = cmp.Or(name, strings.TrimSuffix(filepath.Base(program), ".exe"))
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		engine := entryOf(name, words...)
		if len(words) == 1 && program == "builtin" {
			cut(engine, "command")
			put(engine, "builtin", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
		}
		engines.Content = append(engines.Content, engine)
		run += []string{"", " v "}[min(i, 1)] + name
	}
	switch {
	case q.Name != "":
		return q.Name, engines, nil
	case q.About != "":
		return run + ", " + q.About, engines, nil
	}
	return "", engines, nil
}

// Word is the --set word for a part of a match in the short form of a command line:
// key=value,… instead of a YAML mapping. A limit may be a time for each move, and with a +
// or a / a clock.
func Word(part, text string) string {
	if text = strings.TrimSpace(text); part == "limit" && !strings.ContainsAny(text, "={") {
		kind := "move="
		if strings.ContainsAny(text, "+/") {
			kind = "clock="
		}
		text = kind + text
	}
	if !strings.HasPrefix(text, "{") {
		pairs := strings.Split(text, ",")
		for i := range pairs {
			pairs[i] = strings.Replace(strings.TrimSpace(pairs[i]), "=", ": ", 1)
		}
		text = "{" + strings.Join(pairs, ", ") + "}"
	}
	return part + "=" + text
}

// File returns the text of a match file, as Plan makes it, as a start. Editors find Schema in
// the file schema, relative to it, which says what each key means.
func File(text []byte, file, schema string) []byte {
	const head = "# yaml-language-server: $schema=%s\n# A match: thera run %s plays it, and resumes it after a stop.\n" +
		"# Editors that read the schema complete the keys and say what each one means.\n"
	return append(fmt.Appendf(nil, head, schema, file), text...)
}

// set applies one key.path=value word to the tree. In a list, a part of the path is an
// index (engines.0 or engines[0]) or the name of an entry (engines.thera). The value is
// YAML; an empty value removes the key. label is how errors call the word.
func (r *reader) set(label, word string) {
	fail := func(path string, err error) { r.add(Error{File: label, Path: path, Text: err.Error()}) }
	path, text, ok := strings.Cut(word, "=")
	if !ok || path == "" {
		fail("", fmt.Errorf("expected key.path=value, as limit.nodes=1000"))
		return
	}
	value, err := parseValue(text)
	if err != nil {
		fail(path, err)
		return
	}
	if r.deep(value, 0) {
		return
	}
	r.mark(value, label)
	at, parts := r.root, splitPath(path)
	for i := 0; i < len(parts); i++ {
		n := named(resolved(at), parts[i:])
		part := strings.Join(parts[i:i+n], ".")
		parts = slices.Replace(parts, i, i+n, part)
		last := i == len(parts)-1
		if at = resolved(at); at.Kind == yaml.ScalarNode && at.Tag == null {
			*at = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle, Line: at.Line, Column: at.Column}
			r.origin[at] = label
		}
		next, err := step(at, part)
		switch {
		case err != nil:
			fail(strings.Join(parts[:i+1], "."), err)
			return
		case last && at.Kind == yaml.SequenceNode:
			*next = *value
			r.origin[next] = label
		case last && text == "":
			cut(at, part)
		case last:
			if kinds := arena.LimitKinds(); i > 0 && parts[i-1] == "limit" && slices.Contains(kinds, part) {
				for _, kind := range kinds {
					if kind != part {
						cut(at, kind) // one kind of limit replaces the others
					}
				}
			}
			r.put(at, part, value, label)
		case next == nil:
			next = mapping()
			r.put(at, part, next, label)
		}
		at = next
	}
}

// named is how many parts of a path name an entry of a list: names may have dots.
func named(list *yaml.Node, parts []string) int {
	for n := len(parts); n > 1 && list.Kind == yaml.SequenceNode; n-- {
		name := strings.Join(parts[:n], ".")
		if slices.ContainsFunc(list.Content, func(item *yaml.Node) bool {
			is := below(resolved(item), "name")
			return is != nil && is.Value == name
		}) {
			return n
		}
	}
	return 1
}

func splitPath(path string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

// put gives a key a value; both are of the command line where they are new.
func (r *reader) put(at *yaml.Node, key string, value *yaml.Node, label string) {
	before := len(at.Content)
	put(at, key, value)
	r.origin[value] = label
	if len(at.Content) > before {
		r.origin[at.Content[before]] = label
	}
}

// mark records that node and everything below it came from the command line.
func (r *reader) mark(node *yaml.Node, label string) {
	r.origin[node] = label
	for _, child := range node.Content {
		r.mark(child, label)
	}
}

// step returns the value of a key, nil if there is none, or the item of a list with that
// index or name.
func step(at *yaml.Node, part string) (*yaml.Node, error) {
	switch at.Kind {
	case yaml.MappingNode:
		return below(at, part), nil
	case yaml.SequenceNode:
	default:
		return nil, fmt.Errorf("%q has no keys, expected a mapping or a list here", at.Value)
	}
	if i, err := strconv.Atoi(part); err == nil {
		if i < 0 || i >= len(at.Content) {
			return nil, fmt.Errorf("no entry %d, expected 0 to %d", i, len(at.Content)-1)
		}
		return resolved(at.Content[i]), nil
	}
	var names []string
	for _, item := range at.Content {
		if name := below(resolved(item), "name"); name != nil {
			if name.Value == part {
				return resolved(item), nil
			}
			names = append(names, name.Value)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no entry %q in a list without names, expected an index from 0", part)
	}
	return nil, fmt.Errorf("no entry %q, %s", part, hint(part, names))
}

// mapping returns a mapping that is written in one line.
func mapping() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle}
}

// null is the tag of a key without a value.
const null = "!!null"

// place is where the value of a key is in the content of a mapping, 0 if there is none.
func place(node *yaml.Node, key string) int {
	for i := 1; node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
		if node.Content[i-1].Value == key {
			return i
		}
	}
	return 0
}

// put gives a key of a mapping a value.
func put(mapping *yaml.Node, key string, value *yaml.Node) {
	if i := place(mapping, key); i > 0 {
		mapping.Content[i] = value
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}

// cut removes a key of a mapping.
func cut(mapping *yaml.Node, key string) {
	if i := place(mapping, key); i > 0 {
		mapping.Content = slices.Delete(mapping.Content, i-1, i+1)
	}
}

// below is the value of a key, nil if there is none.
func below(node *yaml.Node, key string) *yaml.Node {
	if i := place(node, key); i > 0 {
		return resolved(node.Content[i])
	}
	return nil
}

func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// scalarOf returns the text of a scalar, "" for null.
func scalarOf(node *yaml.Node) (string, bool) {
	if node.Kind != yaml.ScalarNode {
		return "", false
	}
	if node.Tag == null {
		return "", true
	}
	return node.Value, true
}

// parseValue reads a value, null where there is no text.
func parseValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("the value is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: null}, nil
	}
	return doc.Content[0], nil
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
