package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/report"
	"thera/engine/game"
)

// judgeCommand verifies games by our own rules.
func judgeCommand() *cobra.Command {
	var rules []string
	cmd := &cobra.Command{
		Use:   "judge GAME",
		Short: "Verify games from stdin or an export by the rules, as JSON",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGameWith(args[0], rules)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			j := &judge{game: g, fixed: len(rules) > 0, good: true, enc: report.NewJSON(out)}
			err = eachLine(interruptible(cmd.Context(), cmd.InOrStdin()), maxLine, out.Flush, j.line)
			return findings(j.good, errors.Join(err, out.Flush()))
		},
	}
	ruleFlag(cmd, &rules)
	return cmd
}

type judge struct {
	game  game.Game
	fixed bool // --rule was given: the rules in an export do not replace it
	good  bool
	enc   *json.Encoder
}

// judgedLine is the answer to one game.
type judgedLine struct {
	ID      string         `json:"id,omitempty"`
	States  []string       `json:"states"`
	Outcome *outcomeJSON   `json:"outcome"`
	Illegal *match.Illegal `json:"illegal"`

	Warnings []string `json:"warnings,omitempty"` // of legal moves that are not listed
	Agrees   *bool    `json:"agrees,omitempty"`   // of a recorded game
	Why      string   `json:"why,omitempty"`
}

// judged is a line of the input.
type judged struct {
	arena.SavedHead
	Start *string   `json:"start"`
	Moves *[]string `json:"moves"`
	Thera int       `json:"thera"` // head of an export
	Run   *string   `json:"run"`   // a game in an export
	End   bool      `json:"end"`   // the closing line of an export
}

// maxLine bounds a line of stdin; a game of 10,000 long positions fits.
const maxLine = 64 << 20

func (j *judge) line(text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var line judged
	if err := json.Unmarshal(text, &line); err != nil {
		return j.bad(fmt.Errorf("not a game: %w, "+wantGame, err))
	}
	switch {
	case line.Thera > 0:
		return j.head(text)
	case line.End:
		return nil
	case line.Moves == nil:
		return j.bad(errors.New(`no "moves": ` + wantGame))
	case line.Run != nil:
		var exported arena.GameLine
		if err := json.Unmarshal(text, &exported); err != nil {
			return j.bad(err)
		}
		rec, err := exported.Checked()
		if err != nil {
			return j.bad(err)
		}
		return j.recorded(rec)
	}
	if err := line.Check(j.game.Name()); err != nil {
		return j.bad(err)
	}
	played, illegal, err := match.Moves(j.game, line.Start, *line.Moves)
	if err != nil {
		return j.bad(err)
	}
	return j.answer(judgedLine{}, played, illegal)
}

const wantGame = `want {"start": POSITION or null, "moves": [MOVE, …]}`

// head takes over the rules of an export.
func (j *judge) head(text []byte) error {
	var head report.ExportHead
	if err := json.Unmarshal(text, &head); err != nil {
		return j.bad(fmt.Errorf("head of the export: %w", err))
	}
	if head.Game != j.game.Name() {
		return j.bad(fmt.Errorf("run %s is of the game %s, not %s", head.Name, head.Game, j.game.Name()))
	}
	if j.fixed {
		return nil
	}
	g, err := gameOfRun(&head.RunInfo)
	if err != nil {
		return j.bad(err)
	}
	j.game = g
	return nil
}

// recorded verifies a game whose result is known.
func (j *judge) recorded(rec *arena.Game) error {
	played, illegal, err := match.Moves(j.game, &rec.Start, rec.Moves)
	if err != nil {
		return j.bad(fmt.Errorf("game %s: %w", rec.ID, err))
	}
	why := disagreement(rec, played, illegal)
	agrees := why == ""
	if _, foreign := played.Position.(game.Foreign); agrees && foreign {
		why = "the moves are an engine's rules: not checked"
	}
	return j.answer(judgedLine{ID: rec.ID, Agrees: &agrees, Why: why}, played, illegal)
}

func (j *judge) answer(line judgedLine, played *game.Line, illegal *match.Illegal) error {
	line.States = make([]string, played.Ply+1)
	for at := played; at != nil; at = at.Prev {
		line.States[at.Ply] = at.Position.String()
		if text := warning(j.game, at.Position); text != "" {
			line.Warnings = append(line.Warnings, fmt.Sprintf("ply %d: %s", at.Ply, text))
		}
	}
	slices.Reverse(line.Warnings)
	line.Outcome, line.Illegal = outcomeOf(played.Position), illegal
	if illegal != nil || line.Agrees != nil && !*line.Agrees {
		j.good = false
	}
	return j.enc.Encode(line)
}

// warning is what the game says of the turn that led to pos.
func warning(g game.Game, pos game.Position) string {
	if catalog, ok := g.(game.RoleCatalog); ok {
		return catalog.Warning(pos)
	}
	return ""
}

// bad answers a line that is not a game. The caller continues with the next line.
func (j *judge) bad(err error) error {
	j.good = false
	return j.enc.Encode(struct {
		Error string `json:"error"`
	}{err.Error()})
}
