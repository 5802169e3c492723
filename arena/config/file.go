package config

import (
	"fmt"
	"iter"
	"reflect"
	"strings"

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
