package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Tables and sentences fit in a number of columns, where 0 is no limit. A table
// that is too wide continues long texts on further lines, shortens long names, and
// loses columns in the order that they declare. A matrix loses nothing: it
// continues below, with its first column again.

const (
	leastFold = 24 // columns left to a text that continues below
	wholeWord = 56 // and to a word in it, such as a position, so that it can be copied
	fullName  = 20 // and to a name before columns go
	leastName = 8  // and after that
)

// grid is the part of a table that people see.
type grid struct {
	heads []header
	rows  [][]string // by row and column
}

// grid returns the columns that people see, with cells as clean shows them.
func (t *Table) grid(clean func(string) string) *grid {
	g := &grid{rows: make([][]string, len(t.Rows))}
	for c, col := range t.columns {
		if col.Mute {
			continue
		}
		col.Head = clean(col.Head)
		g.heads = append(g.heads, col)
		for i, row := range t.Rows {
			g.rows[i] = append(g.rows[i], clean(row[c].Text))
		}
	}
	return g
}

// cellWidth is how many columns column c needs.
func (g *grid) cellWidth(c int) int {
	wide := displaywidth.String(g.heads[c].Head)
	for _, row := range g.rows {
		wide = max(wide, displaywidth.String(row[c]))
	}
	return wide
}

// needs is how many columns column c needs at least: less than its cells have if
// they may continue below.
func (g *grid) needs(c int) int {
	wide := g.cellWidth(c)
	if !g.heads[c].Fold || wide <= leastFold {
		return wide
	}
	least := leastFold
	for _, row := range g.rows {
		for _, word := range strings.Fields(row[c]) {
			least = max(least, min(displaywidth.String(word), wholeWord))
		}
	}
	return least
}

// width is how many columns a line needs: a blank before each cell, and one more
// between two cells.
func (g *grid) width() int {
	sum := -1
	for c := range g.heads {
		sum += g.needs(c) + 2
	}
	return sum
}

// fit makes the grid fit in width columns and returns the heads of the columns
// that had to go, in their order.
func (g *grid) fit(width int) (gone []string) {
	if width == 0 {
		return nil
	}
	dropped := map[int]bool{}
	all := slices.Clone(g.heads)
	at := make([]int, len(all)) // the places of the columns that are left
	for c := range at {
		at[c] = c
	}
	g.shorten(width, fullName)
	for g.width() > width {
		worst := 0
		for c := range g.heads {
			if g.heads[c].Drop > 0 && g.heads[c].Drop >= g.heads[worst].Drop {
				worst = c
			}
		}
		if g.heads[worst].Drop == 0 {
			break
		}
		dropped[at[worst]] = true
		at = slices.Delete(at, worst, worst+1)
		g.heads = slices.Delete(g.heads, worst, worst+1)
		for i := range g.rows {
			g.rows[i] = slices.Delete(g.rows[i], worst, worst+1)
		}
	}
	for c, h := range all {
		if dropped[c] {
			gone = append(gone, h.Head)
		}
	}
	g.shorten(width, leastName)
	g.fold(width)
	return gone
}

// shorten shortens the longest names, to no less than least, until a line fits.
func (g *grid) shorten(width, least int) {
	wide := make([]int, len(g.heads))
	for c, h := range g.heads {
		if h.Left && !h.Fold {
			wide[c] = g.cellWidth(c)
		}
	}
	for over := g.width() - width; over > 0; over-- {
		longest := 0
		for c := range wide {
			if wide[c] > wide[longest] {
				longest = c
			}
		}
		if wide[longest] <= least {
			break
		}
		wide[longest]--
	}
	for c := range g.heads {
		if wide[c] == 0 {
			continue
		}
		g.heads[c].Head = Squeeze(g.heads[c].Head, wide[c])
		for i := range g.rows {
			g.rows[i][c] = Squeeze(g.rows[i][c], wide[c])
		}
	}
}

// TextWidth is how many columns a text takes.
func TextWidth(text string) int { return displaywidth.String(text) }

// Squeeze shortens a name to at most most columns; 0 is no limit. It keeps both ends: names of
// versions often differ only in the last characters.
func Squeeze(name string, most int) string {
	if most <= 0 || displaywidth.String(name) <= most {
		return name
	}
	head := cut(name, most-most/3)
	tail := name
	for displaywidth.String(tail) > most-displaywidth.String(head) {
		_, size := utf8.DecodeRuneInString(tail)
		tail = tail[size:]
	}
	return head + tail
}

// cut shortens a text to at most most columns.
func cut(s string, most int) string {
	if displaywidth.String(s) <= most {
		return s
	}
	for displaywidth.String(s) > most-1 {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s + "…"
}

// fold lets the long texts continue on further lines. They share what the other
// columns leave.
func (g *grid) fold(width int) {
	for c, h := range g.heads {
		if !h.Fold {
			continue
		}
		room := max(width-g.width()+g.needs(c), leastName)
		if g.cellWidth(c) <= room {
			g.heads[c].Fold = false
			continue
		}
		var rows [][]string
		for _, row := range g.rows {
			for i, part := range breakLines(row[c], room) {
				if i > 0 {
					row = make([]string, len(g.heads))
				}
				row[c] = part
				rows = append(rows, row)
			}
		}
		g.rows = rows
		g.heads[c].Fold = false // its width counts from here on
	}
}

// all returns the numbers of all columns.
func (g *grid) all() []int {
	all := make([]int, len(g.heads))
	for c := range all {
		all[c] = c
	}
	return all
}

// stack writes a matrix in parts that fit, one below the other: the first column
// and as many others as there is room for.
func (g *grid) stack(b *strings.Builder, width int) {
	if width > 0 && g.width() > width {
		most := max(leastName, width/4)
		for c := range g.heads {
			g.heads[c].Head = Squeeze(g.heads[c].Head, most)
		}
		for _, row := range g.rows {
			row[0] = Squeeze(row[0], most)
		}
	}
	for from := 1; ; {
		part, used := []int{0}, g.cellWidth(0)+1
		for ; from < len(g.heads); from++ {
			used += g.cellWidth(from) + 2
			if width > 0 && used > width && len(part) > 1 {
				break
			}
			part = append(part, from)
		}
		g.write(b, part)
		if from >= len(g.heads) {
			return
		}
		b.WriteByte('\n')
	}
}

// write writes some columns of the grid, padded.
func (g *grid) write(b *strings.Builder, columns []int) {
	wide := make([]int, len(g.heads))
	heads := make([]string, len(g.heads))
	for c := range g.heads {
		wide[c], heads[c] = g.cellWidth(c), g.heads[c].Head
	}
	for _, row := range append([][]string{heads}, g.rows...) {
		var line strings.Builder
		for _, c := range columns {
			pad := strings.Repeat(" ", wide[c]-displaywidth.String(row[c]))
			if g.heads[c].Left {
				line.WriteString(" " + row[c] + pad + " ")
			} else {
				line.WriteString(" " + pad + row[c] + " ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// breakLines breaks a text into lines of at most width columns, at blanks if it
// can.
func breakLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for displaywidth.String(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := word
			for displaywidth.String(head) > width && utf8.RuneCountInString(head) > 1 {
				_, size := utf8.DecodeLastRuneInString(head)
				head = head[:len(head)-size]
			}
			lines, word = append(lines, head), word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case displaywidth.String(line)+1+displaywidth.String(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
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
