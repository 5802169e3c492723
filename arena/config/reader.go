package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
)

// reader makes one plan. It has the tree of the file, where each setting stands in it,
// and all that is wrong so far.
type reader struct {
	host Host
	file string
	pass []string // of a stranger's file: the variables that it may use
	mine bool     // it is no stranger's file

	refused bool // it asks for what a stranger's file must not have

	lines   []string
	root    *yaml.Node
	origin  map[*yaml.Node]string // nodes that the command line gave, with its words
	at      map[string]*yaml.Node // what is given, by path
	emptied map[*yaml.Node]bool   // values that a variable left empty
	nodes   int                   // seen by deep

	hashed map[string][]files.File // of engines by what starts them: two that are the same are read once

	game                  game.Game // nil if unknown
	ownRules, ownOpenings any       // its settings; nil: it has none

	problems Errors
}

func newReader(file string, host Host) *reader {
	return &reader{
		host: host, file: file, mine: true,
		origin: map[*yaml.Node]string{}, at: map[string]*yaml.Node{}, emptied: map[*yaml.Node]bool{},
		hashed: map[string][]files.File{},
	}
}

// fault reports text at node, at path. Nodes of no file are in no line.
func (r *reader) fault(node *yaml.Node, path, text string) {
	label, given := r.origin[node]
	switch {
	case given:
		r.add(Error{File: label, Path: path, Text: text})
	case node.Line == 0:
		r.add(Error{File: r.file, Path: path, Text: text})
	default:
		r.faultAt(node.Line, node.Column, path, text)
	}
}

func (r *reader) faultAt(line, col int, path, text string) {
	p := Error{File: r.file, Line: max(line, 1), Col: max(col, 1), Path: path, Text: text}
	if p.Line <= len(r.lines) {
		p.Code = r.lines[p.Line-1]
	}
	r.add(p)
}

// bad reports an error at the place of path, or at what it would be in.
func (r *reader) bad(path, format string, args ...any) {
	node := r.root
	for at := path; at != ""; at = at[:max(strings.LastIndexAny(at, ".["), 0)] {
		if r.given(at) {
			node = r.at[at]
			break
		}
	}
	r.fault(node, path, fmt.Sprintf(format, args...))
}

// given reports whether the file or the command line has a value at path.
func (r *reader) given(path string) bool { return r.at[path] != nil }

// clean reports whether there is no error at path so far.
func (r *reader) clean(path string) bool {
	return !slices.ContainsFunc(r.problems, func(p Error) bool { return strings.HasPrefix(p.Path+".", path+".") })
}

// unknownKey begins the text of an error at a key that is not known.
const unknownKey = "unknown key, "

// mistyped reports whether there is a key below path that is not known.
func (r *reader) mistyped(path string) bool {
	return slices.ContainsFunc(r.problems, func(p Error) bool {
		return strings.HasPrefix(p.Path, path+".") && strings.HasPrefix(p.Text, unknownKey)
	})
}

// maxProblems is the number of errors after which no more are collected.
const maxProblems = 100

// add appends p, unless the same problem is already there.
func (r *reader) add(p Error) {
	if len(r.problems) < maxProblems && !slices.Contains(r.problems, p) {
		r.problems = append(r.problems, p)
	}
}

// err returns all errors sorted by place, or nil.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Error) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	return r.problems
}

// hint suggests the nearest known word, or lists all of them.
func hint(word string, known []string) string {
	if near := game.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "expected one of " + strings.Join(known, ", ")
}

// load reads the text of the file and applies --set words. It reports whether there is
// a tree.
func (r *reader) load(text []byte, sets []string) bool {
	if !r.parse(text) {
		return false
	}
	r.expand(r.root, "")
	if !r.mine && len(r.problems) > 0 {
		return false
	}
	r.apply(sets)
	return true
}

func (r *reader) apply(sets []string) {
	for _, word := range sets {
		r.set("--set "+word, word)
	}
}

// parse reads the only document of text. It reports whether it can be used.
func (r *reader) parse(text []byte) bool {
	r.lines = strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if len(text) > maxFile {
		r.faultAt(1, 1, "", fmt.Sprintf("%d bytes are too many, expected at most %d", len(text), maxFile))
		return false
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		r.faultAt(1, 1, "", "the file is empty, expected a mapping with game and engines")
		return false
	case err != nil:
		r.syntax(err)
		return false
	}
	if err := dec.Decode(&second); err == nil {
		r.faultAt(second.Line, 1, "", "a second document, expected one match file (remove the --- line)")
	} else if !errors.Is(err, io.EOF) {
		r.syntax(err)
	}
	r.root = doc.Content[0]
	return !r.deep(r.root, 0)
}

// maxNodes bounds the number of nodes after aliases are expanded.
const maxNodes = 20_000

// deep reports whether node is nested too deeply or too large after its aliases
// are expanded, as with an alias inside its anchor.
func (r *reader) deep(node *yaml.Node, level int) bool {
	if r.nodes++; level > 40 || r.nodes > maxNodes {
		r.fault(node, "", "nested too deep, or too many aliases")
		return true
	}
	if node.Kind == yaml.AliasNode {
		return r.deep(node.Alias, level+1)
	}
	return slices.ContainsFunc(node.Content, func(child *yaml.Node) bool { return r.deep(child, level+1) })
}

var yamlLine = arena.Pattern(`line (\d+): (.*)`)

// syntax reports an error of the YAML parser in the line that it names, or the tab behind it.
func (r *reader) syntax(err error) {
	for i, line := range r.lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && indent != line {
			r.faultAt(i+1, tab+1, "", "not YAML: a tab, expected spaces before the first word of a line")
			return
		}
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlLine().FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
		if strings.Contains(text, "did not find expected") { // then it counts from 0
			line = min(line+1, len(r.lines))
		}
		// Of a wrong indent it names the line where the block begins.
		if strings.Contains(text, "expected key") || strings.Contains(text, "expected '-'") {
			line = 1 + sort.Search(len(r.lines)-1, func(n int) bool {
				bad := yaml.Unmarshal([]byte(strings.Join(r.lines[:n+1], "\n")), &yaml.Node{})
				return bad != nil && bad.Error() == err.Error()
			})
		}
	}
	r.faultAt(line, 1, "", "not YAML: "+text)
}

// Error is one error in a match file.
type Error struct {
	File string // or the word of the command line with the value
	Line int    // 0 for the command line
	Col  int
	Path string // as in "engines[1].limit.move"; "" for the file itself
	Text string // what is wrong, and what was expected
	Code string // the source line, "" if there is none
}

// Error returns file:line:col: path: text.
func (p Error) Error() string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Col)
	}
	if p.Path != "" {
		text += ": " + p.Path
	}
	return text + ": " + p.Text
}

// Errors are all errors of a file in order. It is never empty.
type Errors []Error

func (ps Errors) Error() string {
	return strings.Join(arena.Map(ps, Error.Error), "\n")
}

// Show returns the errors, each with its source line and a caret.
func (ps Errors) Show() string {
	var text strings.Builder
	for _, p := range ps {
		text.WriteString(p.Error() + "\n")
		if p.Code == "" {
			continue
		}
		lead := []rune(p.Code)
		lead = lead[:min(max(p.Col-1, 0), len(lead))]
		for i, r := range lead {
			if r != '\t' {
				lead[i] = ' '
			}
		}
		fmt.Fprintf(&text, "%5d | %s\n      | %s^\n", p.Line, p.Code, string(lead))
	}
	return text.String()
}
