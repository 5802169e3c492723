package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
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

// Nearest returns the known word closest to word, "" if none is close.
func Nearest(word string, known []string) string {
	best, at := "", 1+max(1, len(word)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	return best
}

// distance returns the number of letters to insert, delete, change or swap.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// hint suggests the nearest known word, or lists all of them.
func hint(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "expected one of " + strings.Join(known, ", ")
}
