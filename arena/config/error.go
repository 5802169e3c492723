package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// Error is one error in a match file.
type Error struct {
	File string // or the --set word with the value
	Line int    // 0 for --set
	Col  int
	Path string // as in "engines[1].limit.move"; "" for the file itself
	Text string // what is wrong, and what was expected
	Code string // the source line, "" if there is none
}

// Error returns file:line:col: path: text.
func (p Error) Error() string {
	var text strings.Builder
	text.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&text, ":%d:%d", p.Line, p.Col)
	}
	text.WriteString(": ")
	if p.Path != "" {
		text.WriteString(p.Path + ": ")
	}
	text.WriteString(p.Text)
	return text.String()
}

// Errors are all errors of a file in order. It is never empty.
type Errors []Error

func (ps Errors) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
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

// collector collects errors and knows where nodes came from.
type collector struct {
	file     string
	lines    []string
	origin   map[*yaml.Node]string // nodes made by --set
	problems Errors
	nodes    int                 // seen by deep
	emptied  map[*yaml.Node]bool // values that a variable left empty
}

func newCollector(file, text string) *collector {
	return &collector{
		file:   file,
		lines:  strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"),
		origin: map[*yaml.Node]string{}, emptied: map[*yaml.Node]bool{},
	}
}

// fault reports text at node, at path.
func (c *collector) fault(node *yaml.Node, path, text string) {
	if node != nil {
		if word, ok := c.origin[node]; ok {
			c.add(Error{File: "--set " + word, Path: path, Text: text})
			return
		}
		c.at(node.Line, node.Column, path, text)
		return
	}
	c.at(1, 1, path, text)
}

func (c *collector) at(line, col int, path, text string) {
	p := Error{File: c.file, Line: max(line, 1), Col: max(col, 1), Path: path, Text: text}
	if p.Line <= len(c.lines) {
		p.Code = c.lines[p.Line-1]
	}
	c.add(p)
}

// maxProblems is the number of errors after which no more are collected.
const maxProblems = 100

// add appends p, unless the same problem is already there.
func (c *collector) add(p Error) {
	if len(c.problems) < maxProblems && !slices.Contains(c.problems, p) {
		c.problems = append(c.problems, p)
	}
}

// err returns all errors sorted by place, or nil.
func (c *collector) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(c.problems, func(a, b Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return c.problems
}

// hint suggests the nearest known word, or lists all of them.
func hint(word string, known []string) string {
	if near := arena.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "expected one of " + strings.Join(known, ", ")
}
