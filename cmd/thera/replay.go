package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/engine/game"
)

// replayCommand shows a stored game on boards.
func replayCommand() *cobra.Command {
	var path string
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "replay GAME",
		Short: "Show a stored game move by move",
		Long: "Shows the game whose identity is GAME or starts with it; thera games lists them. In a terminal, → or space\n" +
			"go forward, ← goes back, Home and End go to the start and the end, and q quits. Without a terminal, or\n" +
			"with --all, it prints every position. Moves are in words, with the engine's evaluation, depth and time.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
				rec, run, err := db.Game(ctx, args[0])
				if err != nil {
					return err
				}
				r, err := newReplay(run, rec)
				if err != nil {
					return err
				}
				in, out := cmd.InOrStdin(), cmd.OutOrStdout()
				r.width, r.escapes = columns(cmd), report.Escapes(out)
				switch {
				case asJSON:
					return r.json(out)
				case report.IsTerminal(in) && report.IsTerminal(out) && !all:
					return r.browse(ctx, in.(*os.File), out)
				}
				return r.print(out)
			})
		},
	}
	dbFlag(cmd, &path)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with all states")
	cmd.Flags().BoolVar(&all, "all", false, "print every position, also in a terminal")
	return cmd
}

// replay is a stored game with its positions, as far as our rules can play it.
type replay struct {
	run     arena.RunInfo
	rec     *arena.Record
	lines   []*game.Line // by ply
	illegal *illegalMove

	width   int  // of a line for people
	escapes bool // the screen may get escape sequences
}

func newReplay(run arena.RunInfo, rec *arena.Record) (*replay, error) {
	g, err := gameOfRun(&run)
	if err != nil {
		return nil, err
	}
	last, illegal, err := rejudge(g, &rec.Start, rec.Moves)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", rec.ID, err)
	}
	r := &replay{run: run, rec: rec, lines: make([]*game.Line, last.Ply+1), illegal: illegal}
	for at := last; at != nil; at = at.Prev {
		r.lines[at.Ply] = at
	}
	return r, nil
}

// head returns the title of the game.
func (r *replay) head() string {
	rec := r.rec
	side := func(s game.Seat) string {
		if role := rec.Roles[s.Index()]; role != "" {
			return rec.Engine(s) + " (" + role + ")"
		}
		return rec.Engine(s)
	}
	text := fmt.Sprintf("%s  %s  round %d, pair %d\n1 %s - 2 %s  %s  %s\n", report.Short(rec.ID), r.run.Name, rec.Round, rec.Pair,
		side(game.First), side(game.Second), resultText(rec), rec.Outcome.Reason)
	for _, w := range rec.Warnings {
		text += "warning: " + w + "\n"
	}
	return report.Wrap(report.Lines(text), r.width, 2)
}

// at returns the board at a ply, with the move that led there and what the
// engine said about it.
func (r *replay) at(ply int) string {
	line := r.lines[ply]
	text := "start\n"
	if ply > 0 {
		text = r.moveText(ply)
	}
	if d, ok := line.Position.(game.Drawer); ok {
		text += d.Draw(line.Turn, r.escapes)
	} else {
		text += report.Printable(line.Position.String()) + "\n"
	}
	if ply == len(r.lines)-1 {
		text += r.end()
	}
	return report.Wrap(text, r.width, 2)
}

// end says how the game ended, and what is known about that.
func (r *replay) end() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", resultText(r.rec), report.Printable(r.rec.Outcome.Reason))
	if r.rec.Detail != "" {
		fmt.Fprintln(&b, report.Lines(r.rec.Detail))
	}
	b.WriteString(r.said())
	if r.illegal != nil {
		fmt.Fprintf(&b, "the stored move %s is illegal: %s\n", report.Printable(r.illegal.Move), report.Printable(r.illegal.Why))
	}
	return b.String()
}

// said returns the last lines of both conversations and of stderr, which are
// stored for games that ended by a fault.
func (r *replay) said() string {
	var b strings.Builder
	for _, seat := range []game.Seat{game.First, game.Second} {
		if tail := r.rec.Tail[seat.Index()]; len(tail) > 0 {
			fmt.Fprintf(&b, "\nlast lines of %s:\n", report.Printable(r.rec.Engine(seat)))
			for _, line := range tail {
				fmt.Fprintf(&b, "  %s\n", report.Printable(line))
			}
		}
		if text := strings.TrimRight(r.rec.Stderr[seat.Index()], "\n"); text != "" {
			fmt.Fprintf(&b, "\nstderr of %s:\n", report.Printable(r.rec.Engine(seat)))
			for line := range strings.Lines(text + "\n") {
				fmt.Fprintf(&b, "  %s\n", report.Printable(strings.TrimRight(line, "\r\n")))
			}
		}
	}
	return b.String()
}

func (r *replay) print(out io.Writer) error {
	if _, err := fmt.Fprint(out, r.head()); err != nil {
		return err
	}
	for ply := range r.lines {
		if _, err := fmt.Fprintf(out, "\n%s", r.at(ply)); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) json(out io.Writer) error {
	line := struct {
		report.GameLine
		States []string   `json:"states"`
		Turns  []turnLine `json:"turns"` // as far as the rules can play them
	}{GameLine: report.Line(r.run.Name, r.rec), Turns: []turnLine{}}
	for ply, l := range r.lines {
		line.States = append(line.States, l.Position.String())
		if ply > 0 {
			line.Turns = append(line.Turns, r.turn(ply))
		}
	}
	return jsonLines(out).Encode(line)
}
