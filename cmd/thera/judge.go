package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/central"
	"thera/arena/match"
	"thera/arena/report"
	"thera/engine/game"
)

// judgeCommand verifies games by the rules.
func judgeCommand() *cobra.Command {
	const short = "Verify games from stdin or an export by the rules, as JSON"
	args := cobra.ExactArgs(1)
	return gameCommand("judge GAME", short, args, func(cmd *cobra.Command, g game.Game, _ []string) error {
		j := &judge{game: g, fixed: cmd.Flags().Changed("rule")}
		return answerLines(cmd, cmd.InOrStdin(), maxLine, j.line)
	})
}

type judge struct {
	game  game.Game
	fixed bool // --rule was given: the rules in an export do not replace it
}

// judgedLine is the answer to one game.
type judgedLine struct {
	ID      string         `json:"id,omitempty"`
	States  []string       `json:"states"`
	Outcome *game.Outcome  `json:"outcome"`
	Illegal *match.Illegal `json:"illegal"`

	Warnings []string `json:"warnings,omitempty"` // of legal moves that are not listed
	Agrees   *bool    `json:"agrees,omitempty"`   // of a recorded game
	Why      string   `json:"why,omitempty"`
}

// judged is a line of the input.
type judged struct {
	central.SavedHead
	Start *string   `json:"start"`
	Moves *[]string `json:"moves"`
	Thera int       `json:"thera"` // head of an export
	Run   *string   `json:"run"`   // a game in an export
	End   bool      `json:"end"`   // the closing line of an export
}

// maxLine bounds a line of stdin; a game of 10,000 long positions fits.
const maxLine = 64 << 20

// line answers a line. One that is no game is answered with an error, and the next one is
// read.
func (j *judge) line(text []byte) (any, bool) {
	switch answer, err := j.answer(text); {
	case err != nil:
		return errorLine{Error: err.Error()}, false
	case answer != nil:
		return answer, answer.Illegal == nil && (answer.Agrees == nil || *answer.Agrees)
	}
	return nil, true
}

// answer is nil where there is no game.
func (j *judge) answer(text []byte) (*judgedLine, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var line judged
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, fmt.Errorf("not a game: %w, "+wantGame, err)
	}
	switch {
	case line.Thera > 0:
		return nil, j.head(text)
	case line.End:
		return nil, nil
	case line.Moves == nil:
		return nil, errors.New(`no "moves": ` + wantGame)
	case line.Run != nil:
		return j.recorded(text)
	}
	if err := line.Check(j.game.Name()); err != nil {
		return nil, err
	}
	played, illegal, err := match.Moves(j.game, line.Start, *line.Moves)
	if err != nil {
		return nil, err
	}
	return j.played(played, illegal), nil
}

const wantGame = `want {"start": POSITION or null, "moves": [MOVE, …]}`

// head takes over the rules of an export.
func (j *judge) head(text []byte) error {
	var head report.ExportHead
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("head of the export: %w", err)
	}
	if head.Game != j.game.Name() {
		return fmt.Errorf("run %s is of the game %s, not %s", head.Name, head.Game, j.game.Name())
	}
	if j.fixed {
		return nil
	}
	g, err := gameOfRun(&head.RunInfo)
	if err == nil {
		j.game = g
	}
	return err
}

// recorded verifies a game whose result is known.
func (j *judge) recorded(text []byte) (*judgedLine, error) {
	var exported arena.GameLine
	if err := json.Unmarshal(text, &exported); err != nil {
		return nil, err
	}
	rec, err := exported.Checked()
	if err != nil {
		return nil, err
	}
	played, illegal, err := match.Moves(j.game, &rec.Start, rec.Moves)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", rec.ID, err)
	}
	line := j.played(played, illegal)
	line.ID, line.Why = rec.ID, disagreement(rec, played, illegal)
	agrees := line.Why == ""
	if _, foreign := played.Position.(game.Foreign); agrees && foreign {
		line.Why = "the moves are an engine's rules: not checked"
	}
	line.Agrees = &agrees
	return line, nil
}

// played is the answer to a game that was played again.
func (j *judge) played(played *game.History, illegal *match.Illegal) *judgedLine {
	line := &judgedLine{States: make([]string, played.Ply+1), Outcome: outcomeOf(played.Position), Illegal: illegal}
	catalog, _ := j.game.(game.RoleCatalog)
	for at := played; at != nil; at = at.Prev {
		line.States[at.Ply] = at.Position.String()
		if catalog == nil {
			continue
		}
		if text := catalog.Warning(at.Position); text != "" { // of the turn that led there
			line.Warnings = append(line.Warnings, fmt.Sprintf("ply %d: %s", at.Ply, text))
		}
	}
	slices.Reverse(line.Warnings)
	return line
}

// disagreement says how a stored game contradicts our rules, "" if it does
// not.
func disagreement(rec *arena.Game, history *game.History, illegal *match.Illegal) string {
	if illegal != nil {
		return illegal.Error()
	}
	outcome, over := history.Position.Outcome()
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
