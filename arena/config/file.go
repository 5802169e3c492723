package config

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// File is the match file that q describes, with sets applied, as a start for one's
// own: a comment says what each key means, and the keys that it does not have follow as
// comments. Without a name in q the run is named after the file. schema is where
// editors find the schema, relative to the file.
func (q Quick) File(file, schema string, sets []string, host Host) ([]byte, error) {
	_, text, err := q.Plan(file, sets, host)
	if err != nil {
		return nil, err
	}
	c := newCollector(file, string(text))
	root := c.parse(text)
	if err := c.err(); err != nil {
		return nil, err
	}
	var given []string
	kept := root.Content[:0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Value == "name" && q.Name == "" {
			continue
		}
		given = append(given, key.Value)
		kept = append(kept, key, value)
	}
	root.Content = kept
	body, err := encode(root)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# yaml-language-server: $schema=%s\n", schema)
	fmt.Fprintf(&out, "# A match: thera run %s plays it, and resumes it after a stop.\n", file)
	remarks := remarksOf(reflect.TypeFor[arena.Plan]())
	for line := range strings.Lines(string(body)) {
		if key, _, top := strings.Cut(line, ":"); top && remarks[key] != nil {
			out.WriteString("\n" + strings.Join(remarks[key], "\n") + "\n")
		}
		out.WriteString(line)
	}
	out.WriteString("\n# More keys, none of which is needed:\n")
	for _, key := range keysOf(reflect.TypeFor[arena.Plan]()) {
		if !slices.Contains(given, key) {
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
	for name, f := range settings(t) {
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
	for name := range settings(t) {
		keys = append(keys, name)
	}
	return keys
}

// settings are the fields of a struct of settings, each with its key. Of several
// fields that one key sets, such as those of a clock, it has the first.
func settings(t reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		seen := map[string]bool{}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			if name == "" || seen[name] {
				continue
			}
			if seen[name] = true; !yield(name, t.Field(i)) {
				return
			}
		}
	}
}

// SetKeys are the paths of all settings of the match, as --set takes them.
func (q Quick) SetKeys() []string {
	text, err := q.compose()
	if err != nil {
		return SetKeys(nil)
	}
	return SetKeys(text)
}

// SetKeys are the paths of all settings, as --set takes them, of a match file with
// this text. Engines go by their numbers, and by their names.
func SetKeys(text []byte) []string {
	var file struct {
		Engines []struct {
			Name string `yaml:"name"`
		} `yaml:"engines"`
	}
	engines := []string{"0", "1"}
	if yaml.Unmarshal(text, &file) == nil && len(file.Engines) > 0 { // a file with errors has what the default has
		engines = nil
		for i, e := range file.Engines {
			engines = append(engines, fmt.Sprint(i))
			if e.Name != "" && !strings.ContainsAny(e.Name, ". =[]") {
				engines = append(engines, e.Name)
			}
		}
	}
	return settingsBelow("", reflect.TypeFor[arena.Plan](), engines)
}

func settingsBelow(at string, t reflect.Type, engines []string) []string {
	var paths []string
	for name, f := range settings(t) {
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
