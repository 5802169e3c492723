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
}

// header is the head of a column: for people, and for CSV.
type header struct {
	Head string
	Name string // "" leaves the column out of CSV
	Left bool   // text, not figures
	Mute bool   // only in CSV
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

// shown returns the heads, alignments and cells that people see.
func (t *Table) shown(clean func(string) string) (heads []string, aligns []tw.Align, rows [][]string) {
	rows = make([][]string, len(t.Rows))
	for c, col := range t.columns {
		if col.Mute {
			continue
		}
		heads = append(heads, clean(col.Head))
		align := tw.AlignRight
		if col.Left {
			align = tw.AlignLeft
		}
		aligns = append(aligns, align)
		for i, row := range t.Rows {
			rows[i] = append(rows[i], clean(row[c].Text))
		}
	}
	return heads, aligns, rows
}

func (t *Table) terminal(w io.Writer) error {
	plain := renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone, Symbols: tw.NewSymbols(tw.StyleASCII),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, ShowHeader: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.Off, ShowTop: tw.Off, ShowBottom: tw.Off},
		},
	})
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintln(&b, t.Title)
	}
	if err := t.render(&b, plain, Printable); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintln(&b, " "+Printable(note))
	}
	// The renderer pads the last column: remove the trailing blanks.
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) markdown(w io.Writer) error {
	if t.Title != "" {
		if _, err := fmt.Fprintf(w, "### %s\n\n", t.Title); err != nil {
			return err
		}
	}
	if err := t.render(w, renderer.NewMarkdown(), markdown); err != nil {
		return err
	}
	for _, note := range t.Notes {
		if _, err := fmt.Fprintf(w, "\n%s\n", markdown(note)); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) render(w io.Writer, r tw.Renderer, clean func(string) string) error {
	heads, aligns, rows := t.shown(clean)
	if len(rows) == 0 {
		return nil
	}
	out := tablewriter.NewTable(
		w, tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: aligns}),
	)
	out.Header(slices.Clone(heads))
	for _, row := range rows {
		if err := out.Append(slices.Clone(row)); err != nil { // tablewriter keeps the slice
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
