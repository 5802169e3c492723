package main

import (
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/engine/game"
)

// movesCommand lists the legal moves of positions, one JSON object a line.
func movesCommand() *cobra.Command {
	const short = "List the legal moves of positions, from stdin or as words, as JSON"
	args := cobra.RangeArgs(1, 2)
	return gameCommand("moves GAME [POSITION]", short, args, func(cmd *cobra.Command, g game.Game, args []string) error {
		in := cmd.InOrStdin()
		if len(args) > 1 {
			in = strings.NewReader(args[1])
		}
		return answerLines(cmd, in, maxPosition, func(line []byte) (any, bool) { return movesOf(g, string(line)) })
	})
}

type movesLine struct {
	Position string        `json:"position"`
	Moves    []string      `json:"moves"`
	Outcome  *game.Outcome `json:"outcome"`
}

type errorLine struct {
	Position string `json:"position,omitempty"`
	Error    string `json:"error"`
}

// outcomeOf is how a position has ended, nil if it has not.
func outcomeOf(pos game.Position) *game.Outcome {
	if o, over := pos.Outcome(); over {
		return &o
	}
	return nil
}

// maxPosition bounds a line of stdin.
const maxPosition = 1 << 20

// movesOf is the answer for one position. It is not good if the position cannot be read.
func movesOf(g game.Game, text string) (answer any, good bool) {
	pos, err := g.Parse(text)
	if err != nil {
		return errorLine{Position: text, Error: err.Error()}, false
	}
	moves := arena.Map(game.TurnsFrom(pos), game.Turn.String)
	return movesLine{Position: pos.String(), Moves: moves, Outcome: outcomeOf(pos)}, true
}
