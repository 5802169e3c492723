package config

import (
	"fmt"
	"iter"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// File is the match file that q describes, with sets applied, as a start for one's
// own: a comment says what each key means, and the keys that it does not have follow as
// comments. Without a name in q the run is named after the file. schema is where
// editors find the schema, relative to the file.
func (q Quick) File(file, schema string, sets []string, host Host) ([]byte, error) {
	_, body, err := q.Plan(file, sets, host)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# yaml-language-server: $schema=%s\n", schema)
	fmt.Fprintf(&out, "# A match: thera run %s plays it, and resumes it after a stop.\n", file)
	remarks := remarksOf(reflect.TypeFor[arena.Plan]())
	given := map[string]bool{}
	for line := range strings.Lines(string(body)) {
		key, _, top := strings.Cut(line, ":")
		if key == "name" && q.Name == "" {
			continue
		}
		if top && remarks[key] != nil {
			given[key] = true
			out.WriteString("\n" + strings.Join(remarks[key], "\n") + "\n")
		}
		out.WriteString(line)
	}
	out.WriteString("\n# More keys, none of which is needed:\n")
	for _, key := range keysOf(reflect.TypeFor[arena.Plan]()) {
		if !given[key] {
			fmt.Fprintf(&out, "#\n# %s:\n%s\n", key, strings.Join(remarks[key], "\n"))
		}
	}
	return []byte(out.String()), nil
}

// remarkWidth is the width of comments.
const remarkWidth = 100

// remarksOf are the lines of comment for each key of a struct of settings.
func remarksOf(t reflect.Type) map[string][]string {
	remarks := map[string][]string{}
	for name, f := range written(t) {
		text := docOf(f.Tag, f.Tag.Get("doc"))
		part := f.Type
		if part.Kind() == reflect.Slice {
			part = part.Elem()
		}
		if part.Kind() == reflect.Struct && f.Tag.Get("form") == "" {
			text += "; keys: " + strings.Join(keysOf(part), ", ")
		}
		line := "#"
		for _, word := range strings.Fields(text) {
			if len(line)+1+len(word) > remarkWidth {
				remarks[name] = append(remarks[name], line)
				line = "#"
			}
			line += " " + word
		}
		remarks[name] = append(remarks[name], line)
	}
	return remarks
}

// keysOf are the keys of a struct of settings.
func keysOf(t reflect.Type) []string {
	var keys []string
	for name := range written(t) {
		keys = append(keys, name)
	}
	return keys
}

// written are the settings of a struct that a match file has, each once. Of several
// fields that one key sets, such as those of a clock, it has the first.
func written(t reflect.Type) iter.Seq2[string, arena.Setting] {
	return func(yield func(string, arena.Setting) bool) {
		last := ""
		for s := range arena.Fields(reflect.New(t).Elem()) {
			if s.Written && s.Key != last && !yield(s.Key, s) {
				return
			}
			last = s.Key
		}
	}
}

// SetKeys are the paths of all settings of the match, as --set takes them.
func (q Quick) SetKeys() []string {
	root, err := q.tree()
	if err != nil {
		return SetKeys(nil)
	}
	return keysIn(root)
}

// SetKeys are the paths of all settings, as --set takes them, of a match file with
// this text. A file with errors has those of any file.
func SetKeys(text []byte) []string {
	r := newReader("", Host{})
	if !r.parse(text) {
		r.root = mapping()
	}
	return keysIn(r.root)
}

// keysIn are the paths of all settings. Engines go by their numbers, and by their names.
func keysIn(root *yaml.Node) []string {
	engines := []string{"0", "1"}
	if list := below(root, "engines"); list != nil && len(list.Content) > 0 {
		engines = nil
		for i, e := range list.Content {
			engines = append(engines, fmt.Sprint(i))
			if name := below(resolved(e), "name"); name != nil && name.Value != "" && !strings.ContainsAny(name.Value, ". =[]") {
				engines = append(engines, name.Value)
			}
		}
	}
	return settingsBelow("", reflect.TypeFor[arena.Plan](), engines)
}

func settingsBelow(at string, t reflect.Type, engines []string) []string {
	var paths []string
	for name, f := range written(t) {
		path := join(at, name)
		switch {
		case f.Type == reflect.TypeFor[[]arena.EngineSpec]():
			for _, engine := range engines {
				paths = append(paths, settingsBelow(join(path, engine), f.Type.Elem(), nil)...)
			}
		case f.Type.Kind() == reflect.Struct && f.Tag.Get("form") == "":
			paths = append(paths, settingsBelow(path, f.Type, nil)...)
		default:
			paths = append(paths, path)
		}
	}
	return paths
}
