package remote

import (
	"fmt"

	"thera/arena"
	"thera/engine/game"
)

// differs compares the games of a pair, and returns the first that is another one, "" if
// there is none, and how. A fault or a resignation here and none there is a difference; what
// kind of fault ended a game may depend on the machine.
func differs(was, is []*arena.Game) (id, text string) {
	for i, a := range was {
		b := is[i]
		for n := range max(len(a.Moves), len(b.Moves)) {
			if there, here := ply(b, n), ply(a, n); there != here {
				return a.ID, fmt.Sprintf("ply %d is %s there, and %s here", n+1, there, here)
			}
		}
		if there, here := end(b), end(a); there != here {
			return a.ID, fmt.Sprintf("after ply %d %s there, and %s here", len(a.Moves), there, here)
		}
	}
	return "", ""
}

// ply is a move, or how the game ended before it.
func ply(rec *arena.Game, i int) string {
	if i < len(rec.Moves) {
		return cut(rec.Moves[i], 100)
	}
	if given(rec) {
		return "the end (" + end(rec) + ")"
	}
	return "the end"
}

// given reports whether a game ended by what an engine did besides moves.
func given(rec *arena.Game) bool { return rec.Fault != nil || rec.Outcome.Reason == game.Resigned }

// end says how a game ended, in words that are the same wherever it is played.
func end(rec *arena.Game) string {
	switch {
	case rec.Fault != nil && rec.Outcome.Winner == game.None:
		return "both seats are at fault"
	case rec.Fault != nil:
		return fmt.Sprintf("seat %d is at fault", rec.Blamed)
	case rec.Outcome.Reason == game.Resigned:
		return fmt.Sprintf("seat %d resigns", rec.Outcome.Winner.Other())
	case rec.Outcome.Winner == game.None:
		return "nobody wins"
	}
	return fmt.Sprintf("seat %d wins", rec.Outcome.Winner)
}

// playerName says who plays a game again.
func playerName(name string) string {
	if name == "" {
		return "this machine"
	}
	return "worker " + name
}
