package report

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// Columns returns how many columns a line on w has: what the environment variable
// COLUMNS says, or the width of the terminal. It is 0 if w is not a terminal.
func Columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

// Escapes reports whether w is a terminal that may get escape sequences, which
// move its cursor and change its colours. NO_COLOR and TERM=dumb forbid them.
func Escapes(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
