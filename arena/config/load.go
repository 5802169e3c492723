// Package config reads match files: YAML in, an arena.Plan out.
//
// It is strict. It reports all errors of a file at once, each with file, line,
// column and path, before any engine starts. An unknown key, a wrong type or a
// combination that does not fit is an error, never a default. The settings are
// declared in package arena, whose tags drive the decoder and the schema. No
// other package imports yaml.v3.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

// Host is what match files refer to.
type Host struct {
	Games []game.Game
	Self  string                           // this binary, which has the built-in engines
	Dir   string                           // the working directory, absolute
	Cores int                              // for concurrency: auto
	Env   func(name string) (string, bool) // for ${NAME}; nil: leave it as it is
}

// Load reads the match file at path and applies sets, which are key.path=value
// words. The error is an Errors if the content is wrong.
func Load(path string, sets []string, host Host) (*arena.Plan, error) {
	text, err := ReadFile(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("match file: %w%s", err, neighbour(path))
	case err != nil:
		return nil, fmt.Errorf("match file: %w", err)
	}
	return Parse(path, text, sets, host)
}

// neighbour names the file of the same folder that may have been meant, as a
// remark in brackets.
func neighbour(path string) string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // a hint only
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near := Nearest(filepath.Base(path), names)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", filepath.Join(filepath.Dir(path), near))
}

// maxFile is the largest size of a match file in bytes.
const maxFile = 1 << 20

// ReadFile returns the content of a regular file of at most most bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, size, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text []byte
	if size <= most {
		text, err = io.ReadAll(io.LimitReader(f, most+1))
	}
	if err == nil && max(size, int64(len(text))) > most { // the file may have grown
		return nil, fmt.Errorf("%s is larger than %d MiB, the largest size allowed", path, most>>20)
	}
	return text, err
}

// OpenFile opens a regular file, which unlike a device or a pipe has an end and
// can be read twice.
func OpenFile(path string) (f *os.File, size int64, err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // do not wait for the writer of a pipe
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder, expected a file", path)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is a device or a pipe, expected a regular file", path)
	default:
		return f, info.Size(), nil
	}
	return nil, 0, errors.Join(err, f.Close())
}

// Parse is like Load for a text that was read from file.
func Parse(file string, text []byte, sets []string, host Host) (*arena.Plan, error) {
	r, plan := resolve(file, text, sets, host, map[string]string{}, nil)
	if err := r.err(); err != nil {
		return nil, err
	}
	record(plan, text, sets)
	return plan, nil
}

// record stores the text and sets in the plan, without values of env.
func record(plan *arena.Plan, text []byte, sets []string) {
	for _, word := range sets {
		plan.Overrides = append(plan.Overrides, hideSet(word))
	}
	plan.Source = hideEnv(string(text))
}

// resolve makes a plan and collects its errors. hashes are those of files that
// were read before. shape changes the file before it is decoded; it may be nil.
func resolve(file string, text []byte, sets []string, host Host, hashes map[string]string, shape func(*resolver)) (*resolver, *arena.Plan) {
	r := &resolver{decoder: &decoder{collector: newCollector(file, string(text))}, file: file, host: host, hashes: hashes}
	if r.root = r.collector.parse(text); r.root == nil {
		return r, nil
	}
	r.expand(r.root, host.Env)
	for _, word := range sets {
		r.set(r.root, word)
	}
	if shape != nil {
		shape(r)
	}
	plan := &arena.Plan{File: file}
	arena.SetDefaults(plan)
	arena.SetDefaults(&plan.Format)
	arena.SetDefaults(&plan.Openings)
	arena.SetDefaults(&plan.SPRT)
	r.decode(r.root, addressable(plan), "", "")
	r.plan(plan)
	return r, plan
}

// parse returns the only document of text, nil if it cannot be used.
func (c *collector) parse(text []byte) *yaml.Node {
	if len(text) > maxFile {
		c.at(1, 1, "", fmt.Sprintf("%d bytes are too many for a match file, expected at most %d", len(text), maxFile))
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		c.at(1, 1, "", "the file is empty, expected a mapping with game and engines")
		return nil
	case err != nil:
		c.syntax(err)
		return nil
	}
	if err := dec.Decode(&second); err == nil {
		line := max(second.Line, 1)
		c.at(line, 1, "", "a second document, expected one match file (remove the --- line)")
	} else if !errors.Is(err, io.EOF) {
		c.syntax(err)
	}
	if c.deep(doc.Content[0], 0) {
		return nil
	}
	return doc.Content[0]
}

// maxNodes bounds the number of nodes after aliases are expanded.
const maxNodes = 20_000

// deep reports whether node is nested too deeply or too large after its aliases
// are expanded, as with an alias inside its own anchor.
func (c *collector) deep(node *yaml.Node, level int) bool {
	if c.nodes++; level > 40 || c.nodes > maxNodes {
		c.fault(node, "", "nested too deep, or too many aliases")
		return true
	}
	if node.Kind == yaml.AliasNode {
		return c.deep(node.Alias, level+1)
	}
	for _, child := range node.Content {
		if c.deep(child, level+1) {
			return true
		}
	}
	return false
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// syntax reports an error of the YAML parser in the line that it names.
func (c *collector) syntax(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
		line = min(line+1, len(c.lines)) // the parser counts from 0
	}
	c.at(line, 1, "", "not YAML: "+text)
}
