package rules

// Move is one action: a placing, a slide or a removal. The zero Move is none.
type Move uint16

// Kind is what a move does.
type Kind uint16

// The kinds of moves. Flying is a slide to any point.
const (
	Placing  Kind = 1 << 10
	Sliding  Kind = 2 << 10
	Removing Kind = 3 << 10
)

// Place returns the move that places a man on a point.
func Place(to Point) Move { return Move(Placing) | Move(to) }

// Slide returns the move of a man from one point to another.
func Slide(from, to Point) Move { return Move(Sliding) | Move(from)<<5 | Move(to) }

// Remove returns the move that removes an opponent's man.
func Remove(on Point) Move { return Move(Removing) | Move(on) }

// Kind returns what the move does.
func (m Move) Kind() Kind { return Kind(m &^ 0x3FF) }

// From returns where a slide begins.
func (m Move) From() Point { return Point(m>>5) & 31 }

// To returns the point that a man comes to, or is removed from.
func (m Move) To() Point { return Point(m) & 31 }

// String returns "d6" for a placing, "d6-d5" for a slide, "xd6" for a removal
// and "-" for no move.
func (m Move) String() string {
	switch m.Kind() {
	case Placing:
		return m.To().String()
	case Sliding:
		return m.From().String() + "-" + m.To().String()
	case Removing:
		return "x" + m.To().String()
	}
	return "-"
}

// ParseMove reads the text of a move, legal or not.
func ParseMove(text string) (Move, bool) {
	switch {
	case len(text) == 2:
		to, ok := parsePoint(text)
		return Place(to), ok
	case len(text) == 3 && text[0] == 'x':
		on, ok := parsePoint(text[1:])
		return Remove(on), ok
	case len(text) == 5 && text[2] == '-':
		from, okFrom := parsePoint(text[:2])
		to, okTo := parsePoint(text[3:])
		return Slide(from, to), okFrom && okTo && from != to
	}
	return 0, false
}
