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
	given, err := q.given()
	if err != nil {
		return nil, nil, err
	}
	r := newReader(file, host)
	r.root = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	keys := slices.Collect(arena.Fields(valueOf(&arena.Plan{})))
	for _, s := range keys { // in the order of declaration
		put(r.root, s.Key, cmp.Or(below(given, s.Key), &yaml.Node{Kind: yaml.ScalarNode, Tag: null}))
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

// given is what a match file has of the name and of the engines. They are named after
// their programs, or the scripts of interpreters, with a number if a name repeats.
func (q Quick) given() (*yaml.Node, error) {
	type engine struct {
		Name    string
		Builtin bool     `yaml:",omitempty"`
		Command []string `yaml:",omitempty"`
	}
	var file struct {
		Name    string `yaml:",omitempty"`
		Engines []engine
	}
	taken := map[string]int{}
	for _, text := range q.Commands {
		var e engine
		name, command, named := strings.Cut(text, "=")
		if !named || strings.ContainsAny(name, " /\\'\"-") || name == "" {
			name, command = "", text
		}
		var err error
		if e.Command, err = SplitWords(command); err != nil {
			return nil, fmt.Errorf("command %q: %w", text, err)
		}
		program := e.Command[max(files.Script(e.Command), 0)]
		if filepath.Ext(program) == ".toml" { // it is named as the folder that it is in
			program = filepath.Dir(program)
		}
		e.Name = cmp.Or(name, strings.TrimSuffix(filepath.Base(program), ".exe"))
		if taken[e.Name]++; taken[e.Name] > 1 {
			e.Name = fmt.Sprintf("%s-%d", e.Name, taken[e.Name])
		}
		if len(e.Command) == 1 && e.Command[0] == "builtin" {
			e.Builtin, e.Command = true, nil
		}
		file.Engines = append(file.Engines, e)
	}
	if file.Name = q.Name; q.Name == "" && q.About != "" {
		for i, e := range file.Engines {
			file.Name += []string{"", " v "}[min(i, 1)] + e.Name
		}
		file.Name += ", " + q.About
	}
	node := &yaml.Node{}
	if err := node.Encode(file); err != nil {
		return nil, fmt.Errorf("writing the match file: %w", err)
	}
	for _, engine := range below(node, "engines").Content {
		engine.Style = yaml.FlowStyle
	}
	return node, nil
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

// File returns the text of a match file, as Plan makes it, as a start. schema is where
// editors find the schema, which says what each key means, relative to the file.
func File(text []byte, file, schema string) []byte {
	const head = "# yaml-language-server: $schema=%s\n# A match: thera run %s plays it, and resumes it after a stop.\n" +
		"# Editors that read the schema complete the keys and say what each one means.\n"
	return append(fmt.Appendf(nil, head, schema, file), text...)
}
