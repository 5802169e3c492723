package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Tables and sentences fit in a number of columns, where 0 is no limit. What a
// table leaves out is decided here: a line that is too long loses columns in the
// order that they declare, and its long names are shortened. Long texts continue on
// further lines. A matrix loses nothing: it continues below, with its first column
// again. Widths, wrapping and alignment are tablewriter's.

const (
	mostText  = 2000 // columns of a cell; CSV and JSON have all
	leastFold = 24   // columns left to a text that continues below
	wholeWord = 56   // and to a word in it, such as a position, so that it can be copied
	fullName  = 20   // and to a name before columns go
	leastName = 8    // and after that
)

// View is what people see of a table.
type View struct {
	Title string
	Heads []Heading
	Rows  [][]Cell
	Notes []string

	wide []int // how many columns of a line each column needs
}

// view returns the columns that people see, with texts as clean shows them.
func (t *Table) view(clean func(string) string) *View {
	g := &View{Rows: make([][]Cell, len(t.Rows))}
	for c, h := range t.columns {
		if h.Mute {
			continue
		}
		h.Head = clean(h.Head)
		wide, word := displaywidth.String(h.Head), 0
		for i, row := range t.Rows {
			text := cut(clean(row[c].Text), mostText)
			g.Rows[i] = append(g.Rows[i], Cell{text, row[c].Raw})
			if wide = max(wide, displaywidth.String(text)); h.Fold {
				for _, w := range strings.Fields(text) {
					word = max(word, displaywidth.String(w))
				}
			}
		}
		if h.Fold { // it may continue below
			wide = min(wide, max(leastFold, min(word, wholeWord)))
		}
		g.Heads, g.wide = append(g.Heads, h), append(g.wide, wide)
	}
	return g
}

// width is how many columns a line needs: a blank before each cell, and one more
// between two cells.
func (g *View) width() int {
	sum := -1
	for _, wide := range g.wide {
		sum += wide + 2
	}
	return sum
}

// fit makes the grid fit in width columns and returns the heads of the columns
// that had to go, in their order.
func (g *View) fit(width int) (gone []string) {
	all := slices.Clone(g.Heads)
	g.shorten(width, fullName)
	for g.width() > width {
		worst := len(g.Heads) - 1
		for c := worst; c >= 0; c-- {
			if g.Heads[c].Drop > g.Heads[worst].Drop {
				worst = c
			}
		}
		if g.Heads[worst].Drop == 0 {
			break
		}
		gone = append(gone, g.Heads[worst].Head)
		g.Heads, g.wide = slices.Delete(g.Heads, worst, worst+1), slices.Delete(g.wide, worst, worst+1)
		for i := range g.Rows {
			g.Rows[i] = slices.Delete(g.Rows[i], worst, worst+1)
		}
	}
	g.shorten(width, leastName)
	for c, h := range g.Heads {
		if !h.Fold {
			continue
		}
		g.wide[c] = max(g.wide[c]+width-g.width(), leastName) // the first long text has what is left
		for i := range g.Rows {
			g.Rows[i][c].Text = breakable(g.Rows[i][c].Text, g.wide[c])
		}
	}
	place := func(head string) int { return slices.IndexFunc(all, func(h Heading) bool { return h.Head == head }) }
	slices.SortFunc(gone, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return gone
}

// shorten shortens the longest names, to no less than least, until a line fits.
func (g *View) shorten(width, least int) {
	for over := g.width() - width; over > 0; over-- {
		longest := -1
		for c, h := range g.Heads {
			if h.Left && !h.Fold && g.wide[c] > least && (longest < 0 || g.wide[c] > g.wide[longest]) {
				longest = c
			}
		}
		if longest < 0 {
			break
		}
		g.wide[longest]--
	}
	for c := range g.Heads {
		if g.Heads[c].Left && !g.Heads[c].Fold {
			g.squeeze(c, g.wide[c])
		}
	}
}

// squeeze shortens the texts of a column.
func (g *View) squeeze(c, most int) {
	g.Heads[c].Head = Squeeze(g.Heads[c].Head, most)
	for i := range g.Rows {
		g.Rows[i][c].Text = Squeeze(g.Rows[i][c].Text, most)
	}
}

// stack returns a matrix in parts that fit: the first column and as many others as
// there is room for.
func (g *View) stack(width int) []*View {
	if g.width() <= width {
		return []*View{g}
	}
	most := max(leastName, width/4)
	g.squeeze(0, most)
	for c := range g.Heads {
		g.Heads[c].Head, g.wide[c] = Squeeze(g.Heads[c].Head, most), min(g.wide[c], most)
	}
	var parts []*View
	for from := 1; from < len(g.Heads); {
		part := &View{Heads: g.Heads[:1:1], wide: g.wide[:1:1], Rows: make([][]Cell, len(g.Rows))}
		for i, row := range g.Rows {
			part.Rows[i] = row[:1:1]
		}
		for ; from < len(g.Heads) && (len(part.Heads) == 1 || part.width()+g.wide[from]+2 <= width); from++ {
			part.Heads, part.wide = append(part.Heads, g.Heads[from]), append(part.wide, g.wide[from])
			for i, row := range g.Rows {
				part.Rows[i] = append(part.Rows[i], row[from])
			}
		}
		parts = append(parts, part)
	}
	return parts
}
