package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

// Host is what a match file may speak of and does not hold itself.
type Host struct {
	Games []game.Game
	Self  string                           // this binary: runs the built-in engines
	Dir   string                           // the working directory, absolute
	Cores int                              // for concurrency: auto
	Env   func(name string) (string, bool) // for ${NAME}; nil: there is none
}

// Load reads the match file at path. sets are key.path=value words laid over
// it. The error is Problems, or that of reading the file.
func Load(path string, sets []string, host Host) (*arena.Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("match file: %w", err)
	}
	return Parse(path, text, sets, host)
}

// maxFile keeps a wrong file (a video, say) from being parsed at all.
const maxFile = 4 << 20

// Parse is Load of a text that was read from file.
func Parse(file string, text []byte, sets []string, host Host) (*arena.Plan, error) {
	c := newCollector(file, string(text))
	root := c.parse(text)
	if root == nil {
		return nil, c.err()
	}
	c.expand(root, host.Env)
	for _, word := range sets {
		c.set(root, word)
	}
	f := defaults()
	d := &decoder{c}
	d.decode(root, addressable(&f), "", "")
	r := &resolver{decoder: d, root: root, file: file, host: host, hashes: map[string]string{}}
	plan := r.plan(&f)
	if err := c.err(); err != nil {
		return nil, err
	}
	for _, word := range sets {
		plan.Overrides = append(plan.Overrides, hideSet(word))
	}
	plan.Source = hideEnv(string(text))
	return plan, nil
}

// parse is the one document of text, nil if there is none to go on with.
func (c *collector) parse(text []byte) *yaml.Node {
	if len(text) > maxFile {
		c.at(1, 1, "", fmt.Sprintf("%d bytes are no match file, expected at most %d", len(text), maxFile))
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

// maxNodes bounds a file with its aliases written out.
const maxNodes = 20_000

// deep refuses aliases that hold themselves or swell, and absurd nesting.
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

// syntax reports a parser error with the line that it names.
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
