package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Words is the mover's turn in words, as "B2-C1, builds D1": what it changes on the board.
func (p *Position) Words(turn game.Turn) string {
	seat := p.ToMove().Only()
	if seat == game.None {
		return ""
	}
	next, _, err := Parse(turn.Of(seat))
	switch {
	case err != nil:
		return ""
	case IsAfterBlocked(&p.State, &next):
		return "cannot move"
	}
	words := Changes(&p.State, &next, seat)
	for i, god := range next.Gods {
		if next.GodState[i] != p.GodState[i] {
			words += ", " + god.String() + god.FormatState(next.GodState[i])
		}
	}
	return words
}

// Changes says what differs on the board.
func Changes(p, q *State, seat game.Seat) string {
	var words []string
	for i, whose := range [2]string{"", "the opponent's "} {
		side := seat.Index() ^ i
		from, to := squareNames(p.Workers[side]&^q.Workers[side]), squareNames(q.Workers[side]&^p.Workers[side])
		switch {
		case len(from) == 1 && len(to) == 1:
			words = append(words, whose+from[0]+"-"+to[0])
		case len(from) == 0 && len(to) > 0:
			words = append(words, "places "+whose+strings.Join(to, ", "))
		case len(from) > 0 && len(to) == 0:
			words = append(words, "removes "+whose+strings.Join(from, ", "))
		case len(from) > 0:
			words = append(words, whose+strings.Join(from, ", ")+" to "+strings.Join(to, ", "))
		}
	}
	for s := range Squares {
		switch is, was := q.Height(s), p.Height(s); {
		case is == 4 && was < 3:
			words = append(words, "dome on "+SquareName(s))
		case is == was+1:
			words = append(words, "builds "+SquareName(s))
		case is > was:
			words = append(words, fmt.Sprintf("builds %s %d times", SquareName(s), is-was))
		case is < was:
			words = append(words, "takes a block from "+SquareName(s))
		}
	}
	return finished(words, q, seat)
}

// finished joins the words of a turn and says whether it ended the game.
func finished(words []string, next *State, seat game.Seat) string {
	switch int(next.Winner) {
	case 0:
	case int(seat):
		words = append(words, "wins")
	default:
		words = append(words, "loses")
	}
	return strings.Join(words, ", ")
}

func squareNames(set uint32) (names []string) {
	for s := range Squares {
		if set&Bit(s) != 0 {
			names = append(names, SquareName(s))
		}
	}
	return names
}
