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
			if len(args) == 2 {
				return movesOf(enc, g, args[1:])
			}
			return movesFrom(enc, g, cmd.InOrStdin())
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

func movesFrom(enc *json.Encoder, g game.Game, in io.Reader) error {
	var lines []string
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 1<<20)
	bad := false
	for scan.Scan() {
		lines = append(lines[:0], scan.Text())
		switch err := movesOf(enc, g, lines); err.(type) {
		case nil:
		case *exitError:
			bad = true
		default:
			return err
		}
	}
	if err := scan.Err(); err != nil {
		return err
	}
	if bad {
		return &exitError{code: exitFindings}
	}
	return nil
}

func movesOf(enc *json.Encoder, g game.Game, texts []string) error {
	for _, text := range texts {
		pos, err := g.Parse(text)
		if err != nil {
			if err := enc.Encode(errorLine{Position: text, Error: err.Error()}); err != nil {
				return err
			}
			return &exitError{code: exitFindings}
		}
		line := movesLine{Position: pos.String(), Moves: []string{}, Outcome: outcomeOf(pos)}
		for _, seat := range []game.Seat{game.First, game.Second} {
			if pos.ToMove().Has(seat) && (pos.ToMove() != game.Both || seat == game.First) {
				line.Moves = append(line.Moves, pos.Moves(seat)...)
			}
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
