package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"thera/arena"
)

// Table is a table that can be written in any Format.
type Table struct {
	Name  string // as TableNames has it, "" for others
	Title string
	Heads []Heading
	Rows  [][]Cell
	Notes []string // lines below the table
	Long  *Table   // written as CSV instead of this table; may be nil

	width int   // of a line; 0: no limit
	wide  []int // how many columns of a line each column needs; of a view
}

// Heading is the head of a column: for people, and for CSV.
type Heading struct {
	Head string
	Name string // "" leaves the column out of CSV
	Left bool   // text, not figures
	Wrap bool   // may continue on further lines
	Mute bool   // only in CSV
	Drop int    // which columns go first where a line is too long: the highest; 0 stays
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

// Format is a format of tables.
type Format string

// The formats.
const (
	Terminal Format = "text"
	Markdown Format = "markdown"
	CSV      Format = "csv"
)

// Write writes the table, with its title and notes except in CSV.
func (t *Table) Write(w io.Writer, form Format) error {
	switch form {
	case Terminal:
		return t.terminal(w)
	case Markdown:
		return t.markdown(w)
	case CSV:
		return cmp.Or(t.Long, t).csv(w)
	}
	return fmt.Errorf("unknown format %q", form)
}

func (t *Table) terminal(w io.Writer) error {
	t = t.view(Printable)
	if t.width > 0 && len(t.Rows) > 0 {
		if gone := t.fit(); len(gone) > 0 {
			t.Notes = append(t.Notes, "--wide shows also: "+strings.Join(gone, ", "))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(Wrap(t.Title, t.width, 1) + "\n")
	}
	var text strings.Builder
	if err := t.draw(&text, renderer.NewBlueprint(bareTable), t.width > 0); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	for _, note := range t.Notes {
		b.WriteString(Wrap(" "+note, t.width, 1) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) markdown(w io.Writer) error {
	t = t.view(markdown)
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "### %s\n\n", t.Title)
	}
	if err := t.draw(&b, renderer.NewMarkdown(), false); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// bare is a table without lines.
var bareTable = tw.Rendition{Borders: tw.BorderNone, Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone}}

// draw writes a view. With wrap, long texts continue on further lines.
func (t *Table) draw(w io.Writer, form tw.Renderer, wrap bool) error {
	if len(t.Rows) == 0 {
		return nil
	}
	var heads []string
	var aligns []tw.Align
	widths := tw.NewMapper[int, int]()
	for c, h := range t.Heads {
		align := tw.AlignRight
		if h.Left {
			align = tw.AlignLeft
		}
		heads, aligns = append(heads, h.Head), append(aligns, align)
		if h.Wrap && wrap {
			widths.Set(c, t.wide[c]+2) // with its blanks
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
	for _, row := range t.Rows {
		cells := arena.Map(row, func(c Cell) string { return c.Text }) // a copy: tablewriter keeps the slice
		if err := out.Append(cells); err != nil {
			return err
		}
	}
	return out.Render()
}

func (t *Table) csv(w io.Writer) error {
	names := arena.Map(t.Heads, func(h Heading) Cell { return Cell{Raw: h.Name} })
	out := NewCSV(w)
	for _, row := range append([][]Cell{names}, t.Rows...) {
		var words []string
		for c, cell := range row {
			if t.Heads[c].Name != "" {
				words = append(words, cell.Raw)
			}
		}
		_ = out.Write(words) // Flush reports it
	}
	return out.Flush()
}
