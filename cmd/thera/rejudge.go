package main

import (
	"errors"
	"fmt"

	"thera/arena"
	"thera/engine/game"
)

// illegalMove is the first move that the rules do not allow; Ply counts from 1.
type illegalMove struct {
	Ply  int    `json:"ply"`
	Move string `json:"move"`
	Why  string `json:"why"`
}

// rejudge plays moves from start by our own rules, up to the first illegal
// move. A nil start is the game's standard position. The error is that of a
// start that cannot be read.
func rejudge(g game.Game, start *string, moves []string) (*game.Line, *illegalMove, error) {
	var pos game.Position
	var err error
	if start == nil {
		pos, err = g.Start(0, 0)
	} else {
		pos, err = g.Parse(*start)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("start: %w", err)
	}
	line := game.Begin(pos)
	for i, move := range moves {
		bad := &illegalMove{Ply: i + 1, Move: move}
		if _, over := line.Position.Outcome(); over {
			bad.Why = "game over"
			return line, bad, nil
		}
		next, err := line.Play(game.ParseTurn(line.Position.ToMove(), move))
		if err != nil {
			bad.Why = whyIllegal(err)
			return line, bad, nil
		}
		line = next
	}
	return line, nil, nil
}

func whyIllegal(err error) string {
	var illegal *game.Illegal
	if !errors.As(err, &illegal) {
		return err.Error()
	}
	if illegal.Near != "" {
		return fmt.Sprintf("%s (nearest legal: %s)", illegal.Rule, illegal.Near)
	}
	return illegal.Rule
}

// resigned is the one natural result that is not visible in the position.
const resigned = "resigned"

// disagreement says how a stored game contradicts our rules, "" if it does
// not.
func disagreement(rec *arena.Record, line *game.Line, illegal *illegalMove) string {
	if illegal != nil {
		return fmt.Sprintf("ply %d, %s: %s", illegal.Ply, illegal.Move, illegal.Why)
	}
	outcome, over := line.Position.Outcome()
	switch rec.Source {
	case arena.Natural:
		switch {
		case !over && rec.Outcome.Reason == resigned:
			return ""
		case !over:
			return fmt.Sprintf("the record says %q, but by the rules the game goes on", rec.Outcome.Reason)
		case outcome.Winner != rec.Outcome.Winner || outcome.Reason != rec.Outcome.Reason:
			return fmt.Sprintf("the record says winner %d by %q, the rules say %d by %q", rec.Outcome.Winner, rec.Outcome.Reason, outcome.Winner, outcome.Reason)
		}
	default:
		if over {
			return fmt.Sprintf("the record says %s, but by the rules the game was over: winner %d by %q", rec.Source, outcome.Winner, outcome.Reason)
		}
	}
	return ""
}
