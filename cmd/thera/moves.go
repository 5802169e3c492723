package main

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"thera/engine/game"
)

// movesCommand lists the legal moves of positions, one JSON object a line.
func movesCommand() *cobra.Command {
	var rules []string
	cmd := &cobra.Command{
		Use:   "moves GAME [POSITION]",
		Short: "List the legal moves of a position, or of one position a line from stdin, as JSON",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGameWith(args[0], rules)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			enc := json.NewEncoder(out)
			enc.SetEscapeHTML(false)
			if len(args) == 1 {
				return movesFrom(enc, g, cmd.InOrStdin())
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

// outcomeJSON is the settled form of an outcome: winner 1, 2, or 0 for a draw.
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

// movesFrom answers every line of in; a bad one does not end it.
func movesFrom(enc *json.Encoder, g game.Game, in io.Reader) error {
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 1<<20)
	allGood := true
	for scan.Scan() {
		good, err := movesOf(enc, g, scan.Text())
		if err != nil {
			return err
		}
		allGood = allGood && good
	}
	return findings(allGood, scan.Err())
}

// findings is the command's end: exit status 1 where a line was bad.
func findings(good bool, err error) error {
	if err == nil && !good {
		return &exitError{code: exitFindings}
	}
	return err
}

// movesOf prints the answer for one position and whether it could be read.
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
