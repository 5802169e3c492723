package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"thera/arena"
)

// Engines name themselves, write to stderr and print what they like. Their text
// is neutralised where it leaves, by one function for each kind of output:
// Printable, trace and Lines for terminals and tables, markdown, cellText for
// CSV and NewJSON; SVG is written by package svg, and HTML by html/template, both
// after Printable.

// Printable makes text one line of visible characters: what moves a cursor,
// changes colours, turns the direction of writing or cannot be seen is shown as
// its number, and ends of lines are blanks.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, trace(s))
}

// trace is a line of a conversation on a terminal: like Printable, but nothing
// is lost. Lines and tabs stay.
func trace(s string) string {
	var b strings.Builder
	for size := 0; len(s) > 0; s = s[size:] {
		var r rune
		r, size = utf8.DecodeRuneInString(s)
		part := s[:size]
		if !visible(r) || r == utf8.RuneError && size == 1 {
			part = strings.Trim(strconv.QuoteToGraphic(part), `"`)
		}
		b.WriteString(part)
	}
	return b.String()
}

// visible excludes controls (C0, C1), marks of direction, separators of lines
// and paragraphs, and whatever has no shape.
func visible(r rune) bool { return unicode.IsGraphic(r) || r == '\t' || r == '\n' || r == '\r' }

// Lines prints several lines, each as Printable.
func Lines(text string) string {
	return strings.Join(arena.Map(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), Printable), "\n")
}

// markdown escapes what Markdown, and HTML within it, would read as markup:
// also bare addresses, which become links.
func markdown(s string) string { return markdownEscapes.Replace(Printable(s)) }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "://", `:\/\/`, "www.", `www\.`, "@", "&#64;",
)

// cellText is text in CSV. A spreadsheet takes text that begins as a formula for
// one; an apostrophe before it says that it is text.
func cellText(s string) string {
	s = Printable(s)
	if strings.ContainsAny(s[:min(1, len(s))], "=+-@") {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return "'" + s
		}
	}
	return s
}

// NewCSV writes rows of text as cellText.
func NewCSV(w io.Writer) *CSVWriter { return &CSVWriter{csv.NewWriter(w)} }

// CSVWriter writes CSV.
type CSVWriter struct{ out *csv.Writer }

// Write writes a row.
func (c *CSVWriter) Write(row []string) error {
	return c.out.Write(arena.Map(row, cellText))
}

// Flush ends the output.
func (c *CSVWriter) Flush() error {
	c.out.Flush()
	return c.out.Error()
}

// NewJSON is an encoder of objects, one a line, whose texts have no invisible
// characters: they are escaped, and nothing is lost. It leaves <, > and & as they
// are.
func NewJSON(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(&escaper{w})
	enc.SetEscapeHTML(false)
	return enc
}

// escaper escapes invisible characters of JSON, which can only be within
// strings. An encoder writes each value at once.
type escaper struct{ w io.Writer }

func (e *escaper) Write(text []byte) (int, error) {
	safe := text
	if bytes.IndexFunc(text, func(r rune) bool { return !visible(r) }) >= 0 {
		var b bytes.Buffer
		for _, r := range string(text) {
			switch {
			case visible(r):
				b.WriteRune(r)
			case r < 0x10000:
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				high, low := utf16.EncodeRune(r)
				fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
			}
		}
		safe = b.Bytes()
	}
	if _, err := e.w.Write(safe); err != nil {
		return 0, err
	}
	return len(text), nil
}
