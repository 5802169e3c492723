package main

import (
	"fmt"

	"thera/arena"
	"thera/arena/match"
	"thera/engine/game"
)

// disagreement says how a stored game contradicts our rules, "" if it does
// not.
func disagreement(rec *arena.Game, line *game.Line, illegal *match.Illegal) string {
	if illegal != nil {
		return fmt.Sprintf("ply %d, %s: %s", illegal.Ply, illegal.Move, illegal.Why)
	}
	outcome, over := line.Position.Outcome()
	switch rec.Source {
	case arena.Natural:
		switch {
		case !over && rec.Outcome.Reason == game.Resigned:
			return ""
		case !over:
			return fmt.Sprintf("the record says %q, but by the rules the game goes on", rec.Outcome.Reason)
		case outcome.Winner != rec.Outcome.Winner || outcome.Reason != rec.Outcome.Reason:
			return fmt.Sprintf("the record says winner %d by %q, the rules say %d by %q",
				rec.Outcome.Winner, rec.Outcome.Reason, outcome.Winner, outcome.Reason)
		}
	default:
		if over {
			return fmt.Sprintf("the record says %s, but by the rules the game was over: winner %d by %q",
				rec.Source, outcome.Winner, outcome.Reason)
		}
	}
	return ""
}
