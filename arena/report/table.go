package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Table is a table that can be written in any Format.
type Table struct {
	Title   string
	columns []header
	Rows    [][]Cell
	Notes   []string // lines below the table
	Long    *Table   // written as CSV instead of this table; may be nil

	matrix bool // a row for each column: it continues below instead of losing columns
	width  int
}

// header is the head of a column: for people, and for CSV.
type header struct {
	Head string
	Name string // "" leaves the column out of CSV
	Left bool   // text, not figures
	Fold bool   // may continue on further lines
	Mute bool   // only in CSV
	Drop int    // the place in the order in which columns go, see column
}

// Fit returns the table for lines of at most width columns; 0 is no limit. Only
// the terminal form has lines.
func (t *Table) Fit(width int) *Table {
	fitted := *t
	fitted.width = width
	return &fitted
}

// Cell has a text for people and a raw value for CSV.
type Cell struct{ Text, Raw string }

// text returns a cell whose raw value is its text.
func text(s string) Cell { return Cell{s, s} }

// count returns the cell of a whole number.
func count[N int | int64](n N) Cell { return text(fmt.Sprint(n)) }

// Format is a format of tables.
type Format string

// The formats.
const (
	Terminal Format = "text"
	Markdown Format = "markdown"
	CSV      Format = "csv"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Terminal, Markdown, CSV} }

// Write writes the table, with its title and notes except in CSV.
func (t *Table) Write(w io.Writer, form Format) error {
	switch form {
	case Terminal:
		return t.terminal(w)
	case Markdown:
		return t.markdown(w)
	case CSV:
		if t.Long != nil {
			return t.Long.csv(w)
		}
		return t.csv(w)
	}
	return fmt.Errorf("unknown format %q (known: %v)", form, Formats())
}

func (t *Table) terminal(w io.Writer) error {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(Wrap(t.Title, t.width, 1) + "\n")
	}
	notes := t.Notes
	if g := t.grid(Printable); len(g.rows) > 0 {
		switch {
		case t.matrix:
			g.stack(&b, t.width)
		default:
			if gone := g.fit(t.width); len(gone) > 0 {
				notes = append(slices.Clone(notes), "--wide shows also: "+strings.Join(gone, ", "))
			}
			g.write(&b, g.all())
		}
	}
	for _, note := range notes {
		b.WriteString(Wrap(" "+Printable(note), t.width, 1) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) markdown(w io.Writer) error {
	if t.Title != "" {
		if _, err := fmt.Fprintf(w, "### %s\n\n", t.Title); err != nil {
			return err
		}
	}
	if err := t.cells(w); err != nil {
		return err
	}
	for _, note := range t.Notes {
		if _, err := fmt.Fprintf(w, "\n%s\n", markdown(note)); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) cells(w io.Writer) error {
	g := t.grid(markdown)
	if len(g.rows) == 0 {
		return nil
	}
	var heads []string
	var aligns []tw.Align
	for _, h := range g.heads {
		align := tw.AlignRight
		if h.Left {
			align = tw.AlignLeft
		}
		heads, aligns = append(heads, h.Head), append(aligns, align)
	}
	out := tablewriter.NewTable(
		w, tablewriter.WithRenderer(renderer.NewMarkdown()),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
	)
	out.Header(heads)
	for _, row := range g.rows {
		if err := out.Append(row); err != nil { // tablewriter keeps the slice
			return err
		}
	}
	return out.Render()
}

func (t *Table) csv(w io.Writer) error {
	out := NewCSV(w)
	line := func(cell func(c int) string) {
		var words []string
		for c, col := range t.columns {
			if col.Name != "" {
				words = append(words, cell(c))
			}
		}
		_ = out.Write(words) // Error reports it
	}
	line(func(c int) string { return t.columns[c].Name })
	for _, row := range t.Rows {
		line(func(c int) string { return row[c].Raw })
	}
	return out.Flush()
}
