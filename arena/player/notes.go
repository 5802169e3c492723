package player

import "slices"

// ringLines is the number of lines of a conversation kept for a fault's
// report, and keepBytes the number of bytes kept of each. inputBytes bounds what is kept
// of all lines sent.
const (
	ringLines  = 64
	keepBytes  = 400
	inputBytes = 256 << 10
)

// notes are what the record of a game needs of a conversation.
type notes struct {
	warnings []string
	passed   int
	ring     [ringLines][]byte
	recorded int
	input    []byte                      // the lines sent while the process started, and in this game
	started  int                         // how many bytes of them are of the start
	trace    func(dir byte, line []byte) // sees every line, during the call
}

// record notes a line; dir is '>' for one sent, '<' for one received.
func (n *notes) record(dir byte, line []byte) {
	k := &n.ring[n.recorded%ringLines]
	n.recorded++
	*k = append(append((*k)[:0], dir, ' '), line[:min(len(line), keepBytes)]...)
	if len(line) > keepBytes {
		*k = append(*k, " …"...)
	}
	if dir == '>' && len(n.input) <= inputBytes {
		n.input = append(append(n.input, line...), '\n')
	}
	if n.trace != nil {
		n.trace(dir, line)
	}
}

// keepInput says that the lines sent so far started the process, whichever game it plays.
func (n *notes) keepInput() { n.started = len(n.input) }

// newGame says that the lines to come are of another game.
func (n *notes) newGame() { n.input = n.input[:n.started] }

// Input is what the process must read to come to where it is in this game: byte for byte
// what was sent while it started and since newGame. It is "" if that is over 256 KiB.
func (n *notes) Input() string {
	if len(n.input) > inputBytes {
		return ""
	}
	return string(n.input)
}

// Warn adds a remark to the game's record, once.
func (n *notes) Warn(text string) {
	if len(n.warnings) < 100 && !slices.Contains(n.warnings, text) {
		n.warnings = append(n.warnings, text)
	}
}

// Passed counts a line that the session did not use.
func (n *notes) Passed([]byte) { n.passed++ }

// Notes returns the remarks and the number of unused lines since the last
// call.
func (n *notes) Notes() (warnings []string, passed int) {
	warnings, passed = n.warnings, n.passed
	n.warnings, n.passed = nil, 0
	return warnings, passed
}

// Tail returns the last lines of the conversation, oldest first. "> " precedes
// lines sent and "< " lines received.
func (n *notes) Tail() []string {
	var lines []string
	for i := max(0, n.recorded-ringLines); i < n.recorded; i++ {
		lines = append(lines, string(n.ring[i%ringLines]))
	}
	return lines
}
