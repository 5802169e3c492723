package main

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena/report"
	"thera/engine/game"
)

// movesCommand lists the legal moves of positions, one JSON object a line.
func movesCommand() *cobra.Command {
	var rules []string
	cmd := &cobra.Command{
		Use:   "moves GAME [POSITION]",
		Short: "List the legal moves of positions, from stdin or as words, as JSON",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGameWith(args[0], rules)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			enc := report.NewJSON(out)
			if len(args) == 1 {
				good := true
				err := eachLine(interruptible(cmd.Context(), cmd.InOrStdin()), maxPosition, out.Flush, func(line []byte) error {
					read, err := movesOf(enc, g, strings.TrimRight(string(line), "\r"))
					good = good && read
					return err
				})
				return findings(good, err)
			}
			good, err := movesOf(enc, g, args[1])
			return findings(good, err)
		},
	}
	ruleFlag(cmd, &rules)
	return cmd
}

type movesLine struct {
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
	Outcome  *outcomeJSON `json:"outcome"`
}

type errorLine struct {
	Position string `json:"position"`
	Error    string `json:"error"`
}

// outcomeJSON is the JSON form of an outcome: winner 1, 2, or 0 for a draw.
type outcomeJSON struct {
	Winner game.Seat `json:"winner"`
	Reason string    `json:"reason"`
}

func outcomeOf(pos game.Position) *outcomeJSON {
	if o, over := pos.Outcome(); over {
		return &outcomeJSON{Winner: o.Winner, Reason: o.Reason}
	}
	return nil
}

// maxPosition bounds a line of stdin.
const maxPosition = 1 << 20

// findings returns the end of the command: exit status 1 after a bad line.
func findings(good bool, err error) error {
	if err == nil && !good {
		return &exitError{code: exitFindings}
	}
	return err
}

// movesOf prints the answer for one position and reports whether it could be
// read.
func movesOf(enc *json.Encoder, g game.Game, text string) (good bool, err error) {
	pos, err := g.Parse(text)
	if err != nil {
		return false, enc.Encode(errorLine{Position: text, Error: err.Error()})
	}
	line := movesLine{Position: pos.String(), Moves: []string{}, Outcome: outcomeOf(pos)}
	for _, turn := range game.TurnsFrom(pos) {
		line.Moves = append(line.Moves, turn.String())
	}
	return true, enc.Encode(line)
}
