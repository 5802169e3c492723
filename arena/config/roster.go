package config

import (
	"cmp"
	"errors"
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

// roster is a mapping in place of the list of engines: a folder whose entries are engines.
type roster struct {
	Folder  string     `yaml:"folder" required:"true" doc:"each program and script in it is an engine, and each folder with engine.yaml; relative to the match file"`
	Missing bool       `yaml:"missing" enum:"leave-out,stop" default:"leave-out" doc:"an engine that does not start is left out, with a warning, or nothing starts"`
	Each    *yaml.Node `yaml:"each" form:"later" doc:"settings of each engine that is found"`
	Also    *yaml.Node `yaml:"also" form:"later" doc:"further engines, a list"`
}

// manifest is engine.yaml, which comes with an engine: it cannot say what the engine may read or reach.
type manifest struct {
	Name     string            `yaml:"name"`
	Command  []string          `yaml:"command" form:"command" required:"true"`
	Protocol string            `yaml:"protocol"`
	Dialect  map[string]string `yaml:"dialect"`
	Options  []game.Option     `yaml:"options"`
}

const manifestFile = "engine.yaml"

// maxEntries bounds a roster.
const maxEntries = 1000

// roster puts a list in place of a roster.
func (r *reader) roster(p *arena.Plan) {
	const path = "engines"
	node := below(r.root, path)
	if node == nil || node.Kind != yaml.MappingNode {
		return
	}
	var set roster
	arena.SetDefaults(&set)
	r.structure(node, path, valueOf(&set))
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: node.Line, Column: node.Column}
	put(r.root, path, list)
	if set.Folder == "" {
		return
	}
	dir := r.find(set.Folder)
	entries, err := os.ReadDir(dir) // sorted by name
	switch {
	case err != nil:
		r.fault(r.at["engines.folder"], "engines.folder", fmt.Sprintf("no folder %s, expected one next to the match file", set.Folder))
		return
	case len(entries) > maxEntries:
		r.fault(r.at["engines.folder"], "engines.folder", fmt.Sprintf("%d entries, expected at most %d", len(entries), maxEntries))
		return
	}
	p.Roster = &arena.Roster{Stop: set.Missing}
	taken := map[string]int{} // how often, by name
	for _, entry := range entries {
		engine, err := r.entry(dir, entry.Name())
		switch {
		case err != nil:
			p.Roster.LeaveOut(entry.Name(), err.Error())
		case engine != nil:
			if set.Each != nil && set.Each.Kind == yaml.MappingNode {
				for i := 1; i < len(set.Each.Content); i += 2 {
					put(engine, set.Each.Content[i-1].Value, set.Each.Content[i])
				}
			}
			name := below(engine, "name")
			name.Value = cmp.Or(name.Value, strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name())))
			taken[name.Value]++
			p.Roster.Entries = append(p.Roster.Entries, entry.Name())
			list.Content = append(list.Content, engine)
		}
	}
	found := list.Content
	if set.Also != nil {
		for _, engine := range set.Also.Content {
			if name := below(engine, "name"); name != nil {
				taken[name.Value]++
			}
		}
		list.Content = append(found, set.Also.Content...)
	}
	if rules := below(r.root, "rules"); rules != nil {
		if named := below(rules, "law"); named != nil {
			taken[named.Value]++ // no engine makes itself the one that decides
		}
	}
	for i, engine := range found {
		if name := below(engine, "name"); taken[name.Value] > 1 {
			name.Value += " (" + p.Roster.Entries[i] + ")"
		}
	}
}

// entry is the engine of an entry of a roster's folder, nil if it is none.
func (r *reader) entry(dir, name string) (*yaml.Node, error) {
	path := filepath.Join(dir, name)
	if _, ok := inside(dir, path); !ok {
		return nil, errors.New("it is a link out of the folder")
	}
	info, err := os.Stat(path)
	switch {
	case strings.HasPrefix(name, "."):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return r.packaged(path)
	case !info.Mode().IsRegular():
		return nil, nil
	case info.Mode().Perm()&0o111 != 0:
		return alone(path), nil
	case filepath.Ext(name) == ".py":
		return alone("python3", path), nil
	}
	return nil, nil
}

// alone is an engine of one file: those beside it are others.
func alone(command ...string) *yaml.Node {
	engine := entryOf("", command...)
	put(engine, "files", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
	return engine
}

// packaged is the engine of a folder with a manifest.
func (r *reader) packaged(dir string) (*yaml.Node, error) {
	path := filepath.Join(dir, manifestFile)
	if _, err := os.Lstat(path); err != nil {
		p, ok := r.game.(game.Archiver)
		if !ok {
			return nil, nil
		}
		path = filepath.Join(dir, p.Manifest())
		if _, in := inside(dir, path); !in || !files.IsRegular(path) {
			return nil, nil
		}
		text, _ := files.Read(path, maxFile)
		known, _ := p.ReadManifest(text) // unpack says what is wrong with it
		return entryOf(known.Name, path), nil
	}
	if _, ok := inside(dir, path); !ok {
		return nil, fmt.Errorf("%s is a link out of its folder", manifestFile)
	}
	text, err := files.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	theirs := newReader(manifestFile, r.host)
	var m manifest
	if theirs.parse(text) {
		theirs.decode(theirs.root, valueOf(&m), "", "")
	}
	if err := theirs.err(); err != nil {
		return nil, err
	}
	if len(m.Command) == 0 {
		return nil, fmt.Errorf("%s: the command is empty", manifestFile)
	}
	if err := inFolder(dir, m.Command); err != nil {
		return nil, err
	}
	engine := entryOf(m.Name, m.Command...)
	put(engine, "dir", scalar(dir))
	for _, key := range []string{"protocol", "dialect", "options"} {
		if value := below(theirs.root, key); value != nil {
			put(engine, key, value)
		}
	}
	return engine, nil
}

// inFolder puts the program of a command that came with an engine into its folder. No word leads
// out of that: an engine may read what its command names.
func inFolder(dir string, command []string) error {
	for _, word := range command {
		if _, path := files.Argument(word); leadsOut(path) {
			return fmt.Errorf("command: %.100q is not in its folder", word)
		}
	}
	if strings.ContainsRune(command[0], '/') {
		command[0] = filepath.Join(dir, command[0])
	}
	return nil
}

// entryOf is an engine of a roster.
func entryOf(name string, command ...string) *yaml.Node {
	words := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, word := range command {
		words.Content = append(words.Content, scalar(word))
	}
	engine := mapping()
	put(engine, "name", scalar(name))
	put(engine, "command", words)
	return engine
}

// scalar is a text, whatever it looks like.
func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// leaveOut leaves the engines of the roster out that are not right, unless they stop the run.
func (r *reader) leaveOut(p *arena.Plan) {
	if p.Roster == nil {
		return
	}
	for i := min(len(p.Roster.Entries), len(p.Engines)) - 1; i >= 0; i-- {
		of := fmt.Sprintf("engines[%d]", i)
		p.Engines[i].Entry = p.Roster.Entries[i]
		if r.clean(of) || p.Roster.Stop {
			continue
		}
		for _, problem := range r.problems {
			if rest, found := strings.CutPrefix(problem.Path+".", of+"."); found {
				p.Roster.LeaveOut(p.Engines[i].Entry, strings.TrimPrefix(strings.TrimSuffix(rest, ".")+": "+problem.Text, ": "))
				break
			}
		}
		r.problems = slices.DeleteFunc(r.problems, func(e Error) bool { return strings.HasPrefix(e.Path+".", of+".") })
		p.Engines = slices.Delete(p.Engines, i, i+1)
	}
	for _, out := range p.Roster.Out {
		if p.Roster.Stop {
			r.bad("engines.folder", "%s: %s", out.Entry, out.Why)
		}
	}
}
