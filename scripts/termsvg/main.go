// Command termsvg draws what a terminal shows as SVG. It reads the bytes that
// programs wrote to a terminal of 80 columns from stdin. It knows the escape
// sequences that thera writes, and refuses others.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	columns    = 80
	cellWidth  = 7.8 // of a character
	lineHeight = 17
	margin     = 14
)

func main() {
	raw, err := io.ReadAll(os.Stdin)
	if err == nil {
		var s screen
		if err = s.write(string(raw)); err == nil {
			err = s.draw(os.Stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "termsvg:", err)
		os.Exit(1)
	}
}

// screen is a terminal without a last line: nothing scrolls away.
type screen struct {
	lines    [][]cell
	row, col int
	colour   string
}

type cell struct {
	char   rune
	colour string
}

var palette = map[int]string{
	31: "#f38ba8", 32: "#a6e3a1", 33: "#f9e2af", 34: "#89b4fa", 35: "#cba6f7", 36: "#94e2d5", 93: "#f9e2af",
}

var sequence = regexp.MustCompile(`^\[(\?25[hl]|([0-9;]*)([A-Za-z]))`)

func (s *screen) write(text string) error {
	for text != "" {
		if rest, escaped := strings.CutPrefix(text, "\x1b"); escaped {
			found := sequence.FindStringSubmatch(rest)
			if found == nil {
				return fmt.Errorf("unknown escape sequence %.10q", text)
			}
			if err := s.control(found[2], found[3]); err != nil {
				return err
			}
			text = rest[len(found[0]):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		s.put(r)
		text = text[size:]
	}
	return nil
}

// control executes the sequence that ends with a letter.
func (s *screen) control(args, letter string) error {
	n, err := strconv.Atoi(args)
	if err != nil {
		n = 0
	}
	switch letter {
	case "": // the cursor is shown or hidden
	case "A":
		s.row = max(0, s.row-max(1, n))
	case "J":
		s.lines = s.lines[:min(len(s.lines), s.row+1)]
		s.clear()
	case "K":
		s.clear()
	case "G":
		s.col = max(0, n-1)
	case "m":
		s.colour = ""
		for _, word := range strings.Split(args, ";") {
			if n, err := strconv.Atoi(word); err == nil && palette[n] != "" {
				s.colour = palette[n]
			}
		}
	default:
		return fmt.Errorf("unknown escape sequence [%s%s", args, letter)
	}
	return nil
}

// clear empties the line from the cursor on.
func (s *screen) clear() {
	if s.row < len(s.lines) {
		s.lines[s.row] = s.lines[s.row][:min(len(s.lines[s.row]), s.col)]
	}
}

func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.col = 0
		return
	case '\n':
		s.row++
		return
	}
	if s.col == columns {
		s.row, s.col = s.row+1, 0
	}
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, nil)
	}
	for len(s.lines[s.row]) <= s.col {
		s.lines[s.row] = append(s.lines[s.row], cell{char: ' '})
	}
	s.lines[s.row][s.col] = cell{r, s.colour}
	s.col++
}

// draw writes the screen as SVG.
func (s *screen) draw(to io.Writer) error {
	w := bufio.NewWriter(to)
	for len(s.lines) > 0 && strings.TrimSpace(chars(s.lines[len(s.lines)-1])) == "" {
		s.lines = s.lines[:len(s.lines)-1]
	}
	width, height := columns*cellWidth+2*margin, len(s.lines)*lineHeight+2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(w, `<rect width="%.0f" height="%d" rx="8" fill="#1e1e2e"/>`+"\n", width, height)
	for row, line := range s.lines {
		for from := 0; from < len(line); {
			to := from
			for to < len(line) && line[to].colour == line[from].colour {
				to++
			}
			s.words(w, row, from, line[from:to])
			from = to
		}
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// words draws a part of a line in one colour. The length of each word is set, so
// that columns stay columns in any font.
func (s *screen) words(w io.Writer, row, from int, part []cell) {
	colour := part[0].colour
	if colour == "" {
		colour = "#cdd6f4"
	}
	for i := 0; i < len(part); {
		end := i
		for end < len(part) && (part[end].char != ' ' || end+1 < len(part) && part[end+1].char != ' ') {
			end++
		}
		if text := strings.TrimLeft(chars(part[i:end]), " "); text != "" {
			n := len([]rune(text))
			x := margin + float64(from+end-n)*cellWidth
			fmt.Fprintf(w, `<text x="%.1f" y="%d" fill="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
				x, margin+row*lineHeight+12, colour, float64(n)*cellWidth, escape.Replace(text))
		}
		i = max(end, i+1)
	}
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func chars(line []cell) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteRune(c.char)
	}
	return b.String()
}
