package report

import (
	"fmt"

	"thera/arena"
)

// View is a table for a page: only what people see, as text that the page
// escapes.
type View struct {
	Title string
	Heads []ViewHead
	Rows  [][]ViewCell
	Notes []string
}

// ViewHead is the head of a column. Name is the column's in CSV, "" for one that
// CSV does not have.
type ViewHead struct {
	Text, Name string
	Left       bool // text, not figures
}

// ViewCell is a cell of a page's table. Raw is its value for scripts.
type ViewCell struct {
	Text, Raw string
	Head      *ViewHead
}

// View returns the table for a page.
func (t *Table) View() View {
	v := View{Title: Printable(t.Title)}
	var shown []int
	for c, col := range t.columns {
		if !col.Mute {
			shown = append(shown, c)
			v.Heads = append(v.Heads, ViewHead{Text: Printable(col.Head), Name: col.Name, Left: col.Left})
		}
	}
	for _, row := range t.Rows {
		var cells []ViewCell
		for i, c := range shown {
			cells = append(cells, ViewCell{Text: Printable(row[c].Text), Raw: row[c].Raw, Head: &v.Heads[i]})
		}
		v.Rows = append(v.Rows, cells)
	}
	for _, note := range t.Notes {
		v.Notes = append(v.Notes, Printable(note))
	}
	return v
}

// Views returns the tables that have something to show, as Write chooses them.
func (r *Report) Views() []View {
	var views []View
	for _, t := range r.chosen() {
		views = append(views, t.View())
	}
	return views
}

// Notes returns what stands below the tables: decisions, remarks and warnings.
func (r *Report) Notes() []string {
	lines := r.lines()
	for i := range lines {
		lines[i] = Printable(lines[i])
	}
	return lines
}

// Names returns the engines by rank with their places in the plan.
func (r *Report) Names() []Place {
	var out []Place
	for _, e := range r.Engines {
		out = append(out, Place{e.Name, r.places[e.Name]})
	}
	return out
}

// Place is an engine's place in the plan's order.
type Place struct {
	Name  string
	Place int
}

// Head describes the run in a line: game, format, games, limit and state.
func (r *Report) Head() string { return Printable(r.headText()) }

// Progress is how far a run is: the line of the live display.
func Progress(e arena.Event) string { return Printable(statusOf(e).line()) }

// Percent formats a fraction as tables do.
func Percent(x *float64) string { return percent(x) }

// Bounds formats the bounds of a score in percent.
func Bounds(lo, hi *float64) string {
	if lo == nil || hi == nil {
		return none
	}
	return fmt.Sprintf("%.1f to %.1f %%", 100**lo, 100**hi)
}

// Signed formats an Elo difference as tables do.
func Signed(x *float64) string { return signed(x) }

// Fixed formats a value with a number of decimals.
func Fixed(x *float64, digits int) string { return fixed(x, digits) }

// Bar formats the error bar of a rating.
func Bar(s *Score) string { return ratedBar(s) }
