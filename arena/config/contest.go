package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// Contest is a file, usually thera.yaml in an engine's repository, that says how
// versions of the engine are played against each other. It is a match file with
// one engine, without a name for the run and without a tournament; stages
// replace limit and sprt one after the other. LoadContest reads it.
type Contest struct {
	Stages int // at least 1

	file string
	text []byte
	sets []string
	host Host
	git  string

	hashes map[string]string // of files, which all plans share
}

// Match is one run of a contest.
type Match struct {
	Name    string
	Commits []string // the engines are called by the beginning of their hashes
	Alike   []string // or: the names of engines that are all as the file has it
	Stage   int      // from 0; -1 for the limit and the test of the file itself
	Format  string
	Rounds  int    // 0 for the default of the format
	SPRT    string // "elo0=0,elo1=10"; "" for the file's own
}

// LoadContest reads the file at path. sets are key.path=value words for the
// match files that are made of it.
func LoadContest(path string, sets []string, host Host) (*Contest, error) {
	text, err := ReadFile(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%w (such a file, as thera.yaml in the engine's repository, says how versions are played)", err)
	}
	c := &Contest{Stages: 1, file: path, text: text, sets: sets, host: host, git: ".", hashes: map[string]string{}}
	problems := newCollector(path, string(text))
	root := problems.parse(text)
	for _, word := range sets {
		if root != nil {
			problems.set(root, word)
		}
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	if stages := below(resolved(root), "stages"); stages != nil && len(stages.Content) > 0 {
		c.Stages = len(stages.Content)
	}
	if engine := below(resolved(root), "engine"); engine != nil {
		if at := below(resolved(engine), "git"); at != nil {
			c.git, _ = scalarOf(at)
		}
	}
	return c, nil
}

// Repo is the folder of the engine's repository.
func (c *Contest) Repo() string {
	return (&resolver{file: c.file, host: c.host}).nextTo(c.git)
}

// Plan is the plan of a match. The error is an Errors if the file is wrong.
func (c *Contest) Plan(m Match) (*arena.Plan, error) {
	r, plan := resolve(c.file, c.text, c.sets, c.host, c.hashes, func(r *resolver) { r.contest(&m) })
	if err := r.err(); err != nil {
		return nil, ofOneEngine(err)
	}
	record(plan, c.text, c.sets)
	return plan, nil
}

// ofOneEngine reports what is wrong with all engines alike once, as it stands in
// the file.
func ofOneEngine(err error) error {
	var problems Errors
	if !errors.As(err, &problems) {
		return err
	}
	var kept Errors
	for _, p := range problems {
		if rest, first := strings.CutPrefix(p.Path, "engines[0]"); first {
			p.Path = "engine" + rest
		} else if strings.HasPrefix(p.Path, "engines[") && p.Line > 0 {
			continue
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return problems
	}
	return kept
}

// contest makes the file a match file.
func (r *resolver) contest(m *Match) {
	root := r.root
	if root.Kind != yaml.MappingNode {
		return // the decoder says so
	}
	for _, key := range []string{"engines", "tournament", "name"} {
		if at := cut(root, key); at != nil {
			r.fault(at, key, key+" does not belong here, expected game, engine, limit, openings, sprt, stages and the like")
		}
	}
	engine, stages := cut(root, "engine"), cut(root, "stages")
	if engine == nil || resolved(engine).Kind != yaml.MappingNode {
		r.fault(root, "engine", "no engine, expected {build: …, command: [$OUT/…]}")
		return
	}
	engine = resolved(engine)
	for _, key := range []string{"name", "ref"} {
		if at := below(engine, key); at != nil && (key == "name" || len(m.Commits) > 0) {
			r.fault(at, "engine."+key, key+" does not belong here: each commit has its own")
		}
	}
	cut(root, "tune") // Tune reads it
	r.stage(stages, m.Stage)
	if m.Format != "sprt" {
		cut(root, "sprt")
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: engine.Line, Column: engine.Column}
	add := func(name, ref string) {
		one := deepCopy(engine)
		put(one, "name", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
		if ref != "" {
			put(one, "ref", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: ref})
		}
		if below(one, "git") == nil && (ref != "" || below(one, "build") != nil) {
			put(one, "git", word("."))
		}
		list.Content = append(list.Content, one)
	}
	for _, commit := range m.Commits {
		add(commit[:min(12, len(commit))], commit)
	}
	for _, name := range m.Alike {
		add(name, "")
	}
	put(root, "engines", list)
	tournament := flow()
	put(tournament, "format", word(m.Format))
	if m.Rounds > 0 {
		put(tournament, "rounds", word(fmt.Sprint(m.Rounds)))
	}
	put(root, "tournament", tournament)
	put(root, "name", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.Name})
	if m.SPRT != "" {
		cut(root, "sprt")
		if err := (Quick{}).part(root, "sprt", m.SPRT); err != nil {
			r.fault(root, "sprt", err.Error())
		}
	}
}

// stage replaces limit and sprt by those of a stage.
func (r *resolver) stage(stages *yaml.Node, n int) {
	if stages == nil || stages.Tag == "!!null" {
		return
	}
	if stages = resolved(stages); stages.Kind != yaml.SequenceNode {
		r.fault(stages, "stages", wrongType(stages, "a list of {limit: …, sprt: …}"))
		return
	}
	for i, entry := range stages.Content {
		path := fmt.Sprintf("stages[%d]", i)
		if entry = resolved(entry); entry.Kind != yaml.MappingNode {
			r.fault(entry, path, wrongType(entry, "{limit: …, sprt: …}"))
			continue
		}
		for k := 0; k+1 < len(entry.Content); k += 2 {
			key, value := entry.Content[k], entry.Content[k+1]
			switch {
			case key.Value != "limit" && key.Value != "sprt":
				r.fault(key, path+"."+key.Value, "unknown key, expected limit or sprt")
			case i == n:
				cut(r.root, key.Value)
				put(r.root, key.Value, value)
			}
		}
	}
}

// cut removes a key of a mapping and returns its value, nil if there is none.
func cut(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			value := mapping.Content[i+1]
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return value
		}
	}
	return nil
}

func deepCopy(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return deepCopy(node.Alias)
	}
	made := *node
	made.Anchor = ""
	made.Content = nil
	for _, child := range node.Content {
		made.Content = append(made.Content, deepCopy(child))
	}
	return &made
}
