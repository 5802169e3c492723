package config

import (
	"fmt"
	"strings"
)

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
