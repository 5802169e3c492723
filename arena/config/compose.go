package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
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
