package main

import (
	"context"
	"fmt"
	"io"
	"strings"

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
				r, err := newReplayed(run, rec)
				if err != nil {
					return err
				}
				r.width, r.escapes = columns(cmd), report.Escapes(out)
				if asJSON {
					return r.json(out)
				}
				return r.print(out)
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

// replayed is a stored game for a terminal.
type replayed struct {
	*match.Replay
	width   int  // of a line for people
	escapes bool // the screen may get escape sequences
}

func newReplayed(run arena.RunInfo, rec *arena.Game) (*replayed, error) {
	g, err := gameOfRun(&run)
	if err != nil {
		return nil, err
	}
	played, err := match.NewReplay(g, run, rec)
	return &replayed{Replay: played}, err
}

// head returns the title of the game.
func (r *replayed) head() string {
	rec := r.Record
	side := func(s game.Seat) string {
		if role := rec.Roles[s.Index()]; role != "" {
			return rec.Engine(s) + " (" + role + ")"
		}
		return rec.Engine(s)
	}
	text := fmt.Sprintf("%s  %s  round %d, pair %d\n1 %s - 2 %s  %s  %s\n", arena.Short(rec.ID), r.Run.Name, rec.Round, rec.Pair,
		side(game.First), side(game.Second), resultText(rec), rec.Outcome.Reason)
	for _, w := range rec.Warnings {
		text += "warning: " + w + "\n"
	}
	return report.Wrap(report.Lines(text), r.width, 2)
}

// at returns the board at a ply, with the move that led there and what the
// engine said about it.
func (r *replayed) at(ply int) string {
	line := r.Lines[ply]
	text := "start\n"
	if ply > 0 {
		text = r.moveText(ply)
	}
	text += line.Position.Draw(line.Turn, r.escapes)
	if ply == len(r.Lines)-1 {
		text += r.end()
	}
	return report.Wrap(text, r.width, 2)
}

// moveText returns the move that led to ply in words, and what the record has
// about it, one line for each seat.
func (r *replayed) moveText(ply int) string {
	asked := r.Asked(ply)
	who := ""
	if len(asked) == 1 {
		who = r.Record.Engine(asked[0].Seat) + ": "
	}
	text := report.Printable(fmt.Sprintf("%d. %s%s", ply, who, r.Words(ply))) + "\n"
	for _, p := range asked {
		who := ""
		if len(asked) > 1 {
			who = r.Record.Engine(p.Seat) + ": "
		}
		text += report.Printable("   "+who+match.Said(p)) + "\n"
	}
	return text
}

// end says how the game ended, and what is known about that.
func (r *replayed) end() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", resultText(r.Record), report.Printable(r.Record.Outcome.Reason))
	for _, line := range report.FaultLines(r.Record, "") {
		fmt.Fprintln(&b, line)
	}
	if r.Illegal != nil {
		fmt.Fprintf(&b, "the stored move %s is illegal: %s\n",
			report.Printable(r.Illegal.Move), report.Printable(r.Illegal.Why))
	}
	return b.String()
}

func (r *replayed) print(out io.Writer) error {
	if _, err := fmt.Fprint(out, r.head()); err != nil {
		return err
	}
	for ply := range r.Lines {
		if _, err := fmt.Fprintf(out, "\n%s", r.at(ply)); err != nil {
			return err
		}
	}
	return nil
}

func (r *replayed) json(out io.Writer) error {
	line := struct {
		*arena.GameLine
		States []string   `json:"states"`
		Turns  []web.Turn `json:"turns"`
	}{GameLine: r.Record.Line(r.Run.Name), Turns: web.Turns(r.Replay)}
	for _, l := range r.Lines {
		line.States = append(line.States, l.Position.String())
	}
	return report.NewJSON(out).Encode(line)
}
