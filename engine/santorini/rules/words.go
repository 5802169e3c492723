package rules

import (
	"fmt"
	"strings"

	"thera/engine/game"
)

// Words is the mover's turn in words, as "B2-C1, builds D1": a shortest chain of
// actions. A turn that only the printed rules allow has no chain; then it is what
// changed on the board.
func (p *Position) Words(turn game.Turn) string {
	seat := p.ToMove().Only()
	if seat == game.None {
		return ""
	}
	next, _, err := Parse(turn.Of(seat))
	if err != nil {
		return ""
	}
	chain, ok := Explain(&p.State, &next)
	if !ok {
		return Changes(&p.State, &next, seat)
	}
	words := chainWords(chain)
	theirs := seat.Other().Index()
	if lost := squareNames(p.Workers[theirs] &^ next.Workers[theirs]); len(squareNames(next.Workers[theirs])) < len(squareNames(p.Workers[theirs])) &&
		!strings.Contains(strings.Join(words, " "), "removes") { // the god does it without being asked
		words = append(words, "removes the worker on "+strings.Join(lost, ", "))
	}
	return finished(words, &next, seat)
}

// winds are the directions of Aeolus' wind.
var winds = [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}

// phrases say what actions do, AT and TO their squares.
var phrases = [...]string{
	MoveWorker: "", MoveWithSwap: " (the worker there takes its place)", MoveWithPush: " (the worker there goes to TO)",
	Build: "builds AT", Dome: "dome on AT", PlaceWorker: "places AT", NoMoves: "cannot move",
	ForceOpponent: "moves the opponent's AT to TO", ForceOwn: "moves its own AT to TO", RemoveWorker: "removes the worker on AT",
	RemoveBlock: "takes a block from AT", SetFemale: "AT is the female worker", SetToken: "token to AT", SetWind: "wind AT",
}

// chainWords says each action of a chain.
func chainWords(chain []Action) []string {
	var words []string
	path := "" // of the worker that moves, as far as it came
	for _, a := range chain {
		at := "none"
		switch {
		case a.Kind == SetWind && a.At != NoSquare:
			at = winds[a.At]
		case a.At != NoSquare:
			at = SquareName(a.At)
		}
		text := strings.NewReplacer("AT", at, "TO", SquareName(a.To)).Replace(phrases[a.Kind])
		switch a.Kind {
		case SelectWorker:
			path = at
			continue
		case MoveWorker, MoveWithSwap, MoveWithPush:
			if path != "" && len(words) > 0 && words[len(words)-1] == path {
				words = words[:len(words)-1] // one walk of several steps
			}
			path += "-" + at
			text = path + text
		}
		words = append(words, text)
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
		if len(words) == 0 || words[len(words)-1] != "cannot move" {
			words = append(words, "loses")
		}
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
