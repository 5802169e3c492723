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
	columns []Heading
	Rows    [][]Cell
	Notes   []string // lines below the table
	Long    *Table   // written as CSV instead of this table; may be nil

	matrix bool // a row for each column: it continues below instead of losing columns
	width  int
}

// Heading is the head of a column: for people, and for CSV.
type Heading struct {
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
	if g := t.view(Printable); len(g.Rows) > 0 {
		parts := []*View{g}
		switch {
		case t.width == 0:
		case t.matrix:
			parts = g.stack(t.width)
		default:
			if gone := g.fit(t.width); len(gone) > 0 {
				notes = append(slices.Clone(notes), "--wide shows also: "+strings.Join(gone, ", "))
			}
		}
		for i, part := range parts {
			if i > 0 {
				b.WriteByte('\n')
			}
			var text strings.Builder
			if err := part.draw(&text, renderer.NewBlueprint(bareTable), t.width > 0); err != nil {
				return err
			}
			for line := range strings.Lines(text.String()) {
				b.WriteString(strings.TrimRight(line, " \n") + "\n")
			}
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
	if g := t.view(markdown); len(g.Rows) > 0 {
		if err := g.draw(w, renderer.NewMarkdown(), false); err != nil {
			return err
		}
	}
	for _, note := range t.Notes {
		if _, err := fmt.Fprintf(w, "\n%s\n", markdown(note)); err != nil {
			return err
		}
	}
	return nil
}

// bare is a table without lines.
var bareTable = tw.Rendition{Borders: tw.BorderNone, Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone}}

// draw writes the view. With wrap, long texts continue on further lines.
func (g *View) draw(w io.Writer, form tw.Renderer, wrap bool) error {
	var heads []string
	var aligns []tw.Align
	widths := tw.NewMapper[int, int]()
	for c, h := range g.Heads {
		align := tw.AlignRight
		if h.Left {
			align = tw.AlignLeft
		}
		heads, aligns = append(heads, h.Head), append(aligns, align)
		if h.Fold && wrap {
			widths.Set(c, g.wide[c]+2) // with its blanks
		}
	}
	alignment := tw.CellAlignment{PerColumn: aligns}
	out := tablewriter.NewTable(
		w, tablewriter.WithRenderer(form), tablewriter.WithEastAsian(tw.Off), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderConfig(tw.CellConfig{
			Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}, Alignment: alignment, Padding: tw.CellPadding{Global: tw.PaddingDefault},
		}),
		tablewriter.WithRowConfig(tw.CellConfig{
			Formatting: tw.CellFormatting{AutoWrap: tw.WrapNormal}, Alignment: alignment, Padding: tw.CellPadding{Global: tw.PaddingDefault},
			ColMaxWidths: tw.CellWidth{PerColumn: widths},
		}),
	)
	out.Header(heads)
	for _, row := range g.Rows {
		var cells []string // of its own: tablewriter keeps the slice
		for _, cell := range row {
			cells = append(cells, cell.Text)
		}
		if err := out.Append(cells); err != nil {
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
