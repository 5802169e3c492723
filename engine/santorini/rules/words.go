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

// chainWords says each action of a chain.
func chainWords(chain []Action) []string {
	var words []string
	path := "" // of the worker that moves, as far as it came
	walk := func(a Action, more string) {
		if path != "" && len(words) > 0 && words[len(words)-1] == path {
			words = words[:len(words)-1] // one walk of several steps
		}
		path += "-" + SquareName(a.At)
		words = append(words, path+more)
	}
	for _, a := range chain {
		at, to := "", ""
		if a.At < Squares && a.At >= 0 {
			at = SquareName(a.At)
		}
		if a.To < Squares && a.To >= 0 {
			to = SquareName(a.To)
		}
		switch a.Kind {
		case SelectWorker:
			path = at
		case MoveWorker:
			walk(a, "")
		case MoveWithSwap:
			walk(a, " (the worker there takes its place)")
		case MoveWithPush:
			walk(a, " (the worker there goes to "+to+")")
		case Build:
			words = append(words, "builds "+at)
		case Dome:
			words = append(words, "dome on "+at)
		case PlaceWorker:
			words = append(words, "places "+at)
		case NoMoves:
			words = append(words, "cannot move")
		case ForceOpponent:
			words = append(words, "moves the opponent's "+at+" to "+to)
		case ForceOwn:
			words = append(words, "moves its own "+at+" to "+to)
		case RemoveWorker:
			words = append(words, "removes the worker on "+at)
		case RemoveBlock:
			words = append(words, "takes a block from "+at)
		case SetFemale:
			words = append(words, at+" is the female worker")
		case SetToken:
			words = append(words, "token to "+at)
		case SetWind:
			wind := "none"
			if a.At >= 0 && a.At < len(winds) {
				wind = winds[a.At]
			}
			words = append(words, "wind "+wind)
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
