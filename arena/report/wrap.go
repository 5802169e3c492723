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
	if most <= 0 || TextWidth(name) <= most {
		return name
	}
	head, at := cut(name, most-most/3), len(name)
	for {
		_, size := utf8.DecodeLastRuneInString(name[:at])
		if TextWidth(head+name[at-size:]) > most {
			return head + name[at:]
		}
		at -= size
	}
}

// cut shortens a text to at most most columns.
func cut(s string, most int) string { return displaywidth.TruncateString(s, most, "…") }

// breakable breaks words that are wider than a line.
func breakable(text string, width int) string {
	var words []string
	for _, word := range strings.Fields(text) {
		for TextWidth(word) > width {
			head := displaywidth.TruncateString(word, width, "")
			words, word = append(words, head), word[len(head):]
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
	margin := len(line) - len(strings.TrimLeft(line, " "))
	words := strings.Split(line[margin:], " ") // several blanks in a row stay
	var out strings.Builder
	out.WriteString(line[:margin] + words[0])
	used := margin + TextWidth(words[0])
	for _, word := range words[1:] {
		if used += 1 + TextWidth(word); used <= width {
			out.WriteString(" " + word)
			continue
		}
		out.WriteString("\n" + strings.Repeat(" ", margin+indent) + word)
		used = margin + indent + TextWidth(word)
	}
	return out.String()
}
