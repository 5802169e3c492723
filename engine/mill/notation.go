package mill

import "thera/engine/protocol"

// String writes a move: "d6" places, "d6-d5" slides or flies, "xd6" removes.
func (m move) String() string {
	switch m.kind() {
	case placing:
		return m.to().String()
	case sliding:
		return m.from().String() + "-" + m.to().String()
	case taking:
		return "x" + m.to().String()
	}
	return "-"
}

// parseMove reads a move's text; whether it is legal is another question.
func parseMove(text string) (move, bool) {
	switch {
	case len(text) == 2:
		to, ok := pointNamed(text)
		return place(to), ok
	case len(text) == 3 && text[0] == 'x':
		on, ok := pointNamed(text[1:])
		return take(on), ok
	case len(text) == 5 && text[2] == '-':
		from, ok := pointNamed(text[:2])
		to, good := pointNamed(text[3:])
		return slide(from, to), ok && good && from != to
	}
	return noMove, false
}

// nearest is the word of list with the fewest edits to text, "" when even
// that is no likeness.
func nearest(text string, list []string) string {
	best, least := "", min(3, len(text))
	for _, word := range list {
		if d := protocol.Distance(text, word); d < least {
			best, least = word, d
		}
	}
	return best
}
