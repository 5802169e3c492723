package report

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// TextWidth is how many columns a text takes.
func TextWidth(text string) int { return displaywidth.String(text) }

// Squeeze shortens a name to at most most columns; 0 is no limit. It keeps both ends: names of
// versions often differ only in the last characters.
func Squeeze(name string, most int) string {
	if most <= 0 || displaywidth.String(name) <= most {
		return name
	}
	head := cut(name, most-most/3)
	room, at := most-displaywidth.String(head), len(name)
	for at > 0 {
		_, size := utf8.DecodeLastRuneInString(name[:at])
		if displaywidth.String(name[at-size:]) > room {
			break
		}
		at -= size
	}
	return head + name[at:]
}

// cut shortens a text to at most most columns.
func cut(s string, most int) string { return displaywidth.TruncateString(s, most, "…") }

// split returns the first part of a text that takes at most most columns, and what follows it: at least
// one character, however wide.
func split(s string, most int) (head, rest string) {
	used, at := 0, 0
	for parts := displaywidth.StringGraphemes(s); parts.Next(); {
		if used += parts.Width(); used > most && at > 0 {
			return s[:at], s[at:]
		}
		at += len(parts.Value())
	}
	return s, ""
}

// breakable breaks words that are wider than a line.
func breakable(text string, width int) string {
	var words []string
	for _, word := range strings.Fields(text) {
		for head, rest := split(word, width); rest != ""; head, rest = split(word, width) {
			words, word = append(words, head), rest
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Wrap breaks each line of text that is longer than width columns at blanks. What
// continues is indented by indent more than its line. A word is never broken: it
// may be a path or a position that somebody wants to copy. 0 is no limit.
func Wrap(text string, width, indent int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		b.WriteString(wrapLine(body, width, indent) + line[len(body):])
	}
	return b.String()
}

func wrapLine(line string, width, indent int) string {
	if displaywidth.String(line) <= width {
		return line
	}
	margin := len(line) - len(strings.TrimLeft(line, " "))
	var out strings.Builder
	used := 0
	for i, word := range strings.Split(line[margin:], " ") { // several blanks in a row stay
		wide := displaywidth.String(word)
		switch {
		case i == 0:
			out.WriteString(line[:margin] + word)
			used = margin + wide
		case used+1+wide <= width:
			out.WriteString(" " + word)
			used += 1 + wide
		default:
			out.WriteString("\n" + strings.Repeat(" ", margin+indent) + word)
			used = margin + indent + wide
		}
	}
	return out.String()
}
