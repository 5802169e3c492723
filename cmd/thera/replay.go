package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/web"
	"thera/engine/game"
)

// replayCommand shows a stored game on boards.
func replayCommand() *cobra.Command {
	var path string
	var asJSON bool
	var seat int
	cmd := &cobra.Command{
		Use:   "replay GAME",
		Short: "Show a stored game move by move",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
				rec, run, err := db.Game(ctx, args[0])
				if err != nil {
					return err
				}
				out := cmd.OutOrStdout()
				if cmd.Flags().Changed("stdin") {
					return writeInput(out, rec, seat)
				}
				g, err := gameOfRun(&run)
				if err != nil {
					return err
				}
				r, err := match.NewReplay(g, run, rec)
				switch {
				case err != nil:
					return err
				case asJSON:
					return report.NewJSON(out).Encode(web.Game(r))
				}
				_, err = io.WriteString(out, report.Wrap(replayText(r, report.Escapes(out)), columns(cmd), 2))
				return err
			})
		},
	}
	dbFlag(cmd, &path)
	jsonFlag(cmd, &asJSON, oneObject)
	cmd.Flags().IntVar(&seat, "stdin", 0,
		"of a game that ended by a fault: all that the engine in `SEAT` 1 or 2 was sent")
	cmd.MarkFlagsMutuallyExclusive("json", "stdin")
	return cmd
}

// writeInput writes what the engine in seat read in a game, as the match recorded it.
func writeInput(out io.Writer, rec *arena.Game, seat int) error {
	if seat != 1 && seat != 2 {
		return fmt.Errorf("--stdin %d: expected 1 or 2", seat)
	}
	text := rec.Input[seat-1]
	if text == "" {
		return fmt.Errorf("game %s has no input of %s: it is kept for games that end by a fault, up to 256 KiB "+
			"(thera run --log FILE writes the lines of all games)", arena.Short(rec.ID), rec.Engine(game.Seat(seat)))
	}
	_, err := io.WriteString(out, text)
	return err
}

// replayText is a stored game for a terminal, which may get escape sequences.
func replayText(r *match.Replay, escapes bool) string {
	rec := r.Record
	player := func(s game.Seat) string {
		if role := rec.Roles[s.Index()]; role != "" {
			return rec.Engine(s) + " (" + role + ")"
		}
		return rec.Engine(s)
	}
	text := fmt.Sprintf("%s  %s  round %d, pair %d\n1 %s - 2 %s  %s  %s\n", arena.Short(rec.ID), r.Run.Name, rec.Round, rec.Pair,
		player(game.First), player(game.Second), report.Result(rec.Outcome.Winner, rec.Source), rec.Outcome.Reason)
	for _, w := range rec.Warnings {
		text += "warning: " + w + "\n"
	}
	text = report.Lines(text)
	for ply, at := range r.Plies {
		if text += "\n"; ply == 0 {
			text += "start\n"
		} else {
			text += moveText(r, ply)
		}
		text += at.Position.Draw(at.Turn, escapes)
	}
	text += report.Printable(report.Result(rec.Outcome.Winner, rec.Source)+": "+rec.Outcome.Reason) + "\n"
	for _, line := range report.FaultLines(rec, report.Again{}) {
		text += line + "\n"
	}
	if ill := r.Illegal; ill != nil {
		text += report.Printable(fmt.Sprintf("the stored move %s is illegal: %s", ill.Move, ill.Why)) + "\n"
	}
	return text
}

// moveText returns the move that led to ply in words, and what the record has
// about it, one line for each seat.
func moveText(r *match.Replay, ply int) string {
	asked := r.Asked(ply)
	title, who := "", func(p arena.Ply) string { return r.Record.Engine(p.Seat) + ": " }
	if len(asked) == 1 {
		title, who = who(asked[0]), func(arena.Ply) string { return "" }
	}
	text := report.Printable(fmt.Sprintf("%d. %s%s", ply, title, r.Words(ply))) + "\n"
	for _, p := range asked {
		text += report.Printable("   "+who(p)+match.Said(p)) + "\n"
	}
	return text
}
