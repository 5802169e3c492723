package protocol

import (
	"bytes"
	"fmt"
)

// The longest texts from outside that a message repeats, in bytes.
const (
	quoteBytes = 300
	clipBytes  = 60
)

// Quote is a line of an engine as a fault's detail shows it: quoted, so that
// it cannot reach a terminal, and cut where it is long.
func Quote(line []byte) string {
	line = bytes.TrimSpace(line)
	if len(line) > quoteBytes {
		return fmt.Sprintf("%q… (%d bytes)", line[:quoteBytes], len(line))
	}
	return fmt.Sprintf("%q", line)
}

// Clip cuts a long word that an error message repeats.
func Clip(text string) string {
	if len(text) > clipBytes {
		return text[:clipBytes-len("...")] + "..."
	}
	return text
}
