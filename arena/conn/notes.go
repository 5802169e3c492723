package conn

// ringLines is how many lines of a conversation are kept for a fault's report,
// and keepBytes how much of each.
const (
	ringLines = 64
	keepBytes = 400
)

// notes is what a game's record wants of a conversation.
type notes struct {
	warnings []string
	passed   int
	ring     [ringLines]kept
	at       int
	trace    func(dir byte, line []byte)
}

type kept struct {
	dir  byte
	cut  bool
	text []byte
}

// Trace lets watch see every line; dir is '>' for one sent, '<' for one
// received. The line is valid during the call.
func (n *notes) Trace(watch func(dir byte, line []byte)) { n.trace = watch }

func (n *notes) heard(dir byte, line []byte) {
	k := &n.ring[n.at%ringLines]
	n.at++
	k.dir, k.cut = dir, len(line) > keepBytes
	k.text = append(k.text[:0], line[:min(len(line), keepBytes)]...)
	if n.trace != nil {
		n.trace(dir, line)
	}
}

// Warn puts a remark on the game's record; the same remark counts once.
func (n *notes) Warn(text string) {
	for _, w := range n.warnings {
		if w == text {
			return
		}
	}
	if len(n.warnings) < 100 {
		n.warnings = append(n.warnings, text)
	}
}

// Passed counts a line that had no use.
func (n *notes) Passed([]byte) { n.passed++ }

// Notes are the remarks and the number of lines passed over since the last
// call.
func (n *notes) Notes() (warnings []string, passed int) {
	warnings, passed = n.warnings, n.passed
	n.warnings, n.passed = nil, 0
	return warnings, passed
}

// Tail is the last lines of the conversation, oldest first, with "> " before
// those sent and "< " before those received.
func (n *notes) Tail() []string {
	var lines []string
	for i := max(0, n.at-ringLines); i < n.at; i++ {
		k := &n.ring[i%ringLines]
		text := string(k.dir) + " " + string(k.text)
		if k.cut {
			text += " …"
		}
		lines = append(lines, text)
	}
	return lines
}
