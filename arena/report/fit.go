package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Tables and sentences fit in a number of columns, where 0 is no limit. What a
// table leaves out is decided here: a line that is too long loses columns in the
// order that they declare, and its long names are shortened. Long texts continue on
// further lines. Widths, wrapping and alignment are tablewriter's.

const (
	mostText  = 2000 // columns of a cell; CSV and JSON have all
	leastWrap = 24   // columns left to a text that continues below
	wholeWord = 56   // and to a word in it, such as a position, so that it can be copied
	fullName  = 20   // and to a name before columns go
	leastName = 8    // and after that
)

// View returns what people see of the table, as text that a page escapes.
func (t *Table) View() *Table { return t.view(Printable) }

// view returns the columns that people see, with texts as clean shows them.
func (t *Table) view(clean func(string) string) *Table {
	g := &Table{Name: t.Name, Title: clean(t.Title), Rows: make([][]Cell, len(t.Rows)), width: t.width}
	for _, note := range t.Notes {
		g.Notes = append(g.Notes, clean(note))
	}
	for c, h := range t.Heads {
		if h.Mute {
			continue
		}
		h.Head = clean(h.Head)
		wide, word := displaywidth.String(h.Head), 0
		for i, row := range t.Rows {
			text := cut(clean(row[c].Text), mostText)
			g.Rows[i] = append(g.Rows[i], Cell{text, row[c].Raw})
			if wide = max(wide, displaywidth.String(text)); h.Wrap {
				for _, w := range strings.Fields(text) {
					word = max(word, displaywidth.String(w))
				}
			}
		}
		if h.Wrap { // it may continue below
			wide = min(wide, max(leastWrap, min(word, wholeWord)))
		}
		g.Heads, g.wide = append(g.Heads, h), append(g.wide, wide)
	}
	return g
}

// needs is how many columns a line needs: a blank before each cell, and one more
// between two cells.
func (t *Table) needs() int {
	sum := -1
	for _, wide := range t.wide {
		sum += wide + 2
	}
	return sum
}

// fit makes a view fit in its width and returns the heads of the columns
// that had to go, in their order.
func (t *Table) fit() (gone []string) {
	all := slices.Clone(t.Heads)
	t.shorten(fullName)
	for t.needs() > t.width {
		worst := len(t.Heads) - 1
		for c := worst; c >= 0; c-- {
			if t.Heads[c].Drop > t.Heads[worst].Drop {
				worst = c
			}
		}
		if t.Heads[worst].Drop == 0 {
			break
		}
		gone = append(gone, t.Heads[worst].Head)
		t.Heads, t.wide = slices.Delete(t.Heads, worst, worst+1), slices.Delete(t.wide, worst, worst+1)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], worst, worst+1)
		}
	}
	t.shorten(leastName)
	for c, h := range t.Heads {
		if !h.Wrap {
			continue
		}
		t.wide[c] = max(t.wide[c]+t.width-t.needs(), leastName) // the first long text has what is left
		for i := range t.Rows {
			t.Rows[i][c].Text = breakable(t.Rows[i][c].Text, t.wide[c])
		}
	}
	place := func(head string) int { return slices.IndexFunc(all, func(h Heading) bool { return h.Head == head }) }
	slices.SortFunc(gone, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return gone
}

// shorten shortens the longest names, to no less than least, until a line fits.
func (t *Table) shorten(least int) {
	name := func(c int) bool { return t.Heads[c].Left && !t.Heads[c].Wrap }
	for most := slices.Max(t.wide); most >= least && t.needs() > t.width; most-- {
		for c := range t.wide {
			if name(c) {
				t.wide[c] = min(t.wide[c], most)
			}
		}
	}
	for c := range t.Heads {
		if !name(c) {
			continue
		}
		t.Heads[c].Head = Squeeze(t.Heads[c].Head, t.wide[c])
		for i := range t.Rows {
			t.Rows[i][c].Text = Squeeze(t.Rows[i][c].Text, t.wide[c])
		}
	}
}

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
