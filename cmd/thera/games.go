package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
	"thera/engine/game"
)

// gamesCommand lists the games of a run.
func gamesCommand() *cobra.Command {
	var o gamesOptions
	cmd := &cobra.Command{
		Use:   "games [RUN]",
		Short: "List a run's games in the order of its plan",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRun(cmd, o.db, args, func(ctx context.Context, db *store.Store, run arena.RunInfo) error {
				o.width = columns(cmd)
				out := bufio.NewWriter(cmd.OutOrStdout())
				return errors.Join(o.list(ctx, out, db, run), out.Flush())
			})
		},
	}
	dbFlag(cmd, &o.db)
	jsonFlag(cmd, &o.json, eachObject)
	allFlag(cmd, &o.all)
	cmd.Flags().StringVar(&o.engine, "engine", "", "only games of this `ENGINE`")
	cmd.Flags().BoolVar(&o.faults, "faults", false, "only games that ended by a fault, with what is known of each")
	return cmd
}

type gamesOptions struct {
	db, engine  string
	json        bool
	all, faults bool
	width       int // of a line for people
}

func (o *gamesOptions) list(ctx context.Context, out io.Writer, db *store.Store, run arena.RunInfo) error {
	wide, known := len("Second"), o.engine == "" // columns of an engine's name
	for _, e := range run.Engines() {
		wide = max(wide, report.TextWidth(report.Printable(e.Name)))
		known = known || e.Name == o.engine
	}
	if !known {
		return fmt.Errorf("--engine %s: no engine of run %s", o.engine, run.Name)
	}
	g, err := gameOfRun(&run)
	if err != nil {
		return err
	}
	again := replaying(o.db, run.PlanOf(g))
	if o.width > 0 {
		wide = min(wide, 12)
	}
	// Rows are printed as games are read: there may be a million.
	row := func(id, first, second, result, plies, reason string) error {
		name := func(text string) string {
			text = report.Squeeze(report.Printable(text), wide)
			return text + strings.Repeat(" ", wide-report.TextWidth(text))
		}
		line := fmt.Sprintf("%-12s  %s  %s  %-6s  %5s  %s", id, name(first), name(second), result, plies, report.Printable(reason))
		_, err := fmt.Fprintln(out, report.Wrap(line, o.width, 33+2*wide))
		return err
	}
	enc := report.NewJSON(out)
	if !o.json {
		if err := row("Game", "First", "Second", "Result", "Plies", "Reason"); err != nil {
			return err
		}
	}
	for rec, err := range db.Games(ctx, run.ID, o.all) {
		switch {
		case err != nil:
			return err
		case o.faults && rec.Source != arena.Faulted && rec.Source != arena.Stalled:
			continue
		case o.engine != "" && !slices.Contains(rec.Pairing[:], o.engine):
			continue
		case o.json:
			err = enc.Encode(rec.Line(run.Name))
		default:
			err = row(
				arena.Short(rec.ID), rec.Engine(game.First), rec.Engine(game.Second),
				report.Result(rec.Outcome.Winner, rec.Source), fmt.Sprint(len(rec.Moves)), reasonText(rec),
			)
			if o.faults {
				lines := report.FaultLines(rec, again)
				for i, line := range lines {
					if !strings.Contains(line, "more: ") { // a command can be pasted as long as it is one line
						lines[i] = report.Wrap(line, o.width, 2)
					}
				}
				fmt.Fprintf(out, "%s\n\n", strings.Join(lines, "\n"))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reasonText returns why a game ended, with the roles if there are any.
func reasonText(rec *arena.Game) string {
	text := rec.Outcome.Reason
	switch {
	case rec.Source == arena.Faulted && rec.Blamed != game.None && !rec.Both():
		text = rec.Engine(rec.Blamed) + ": " + text
	case rec.Source == arena.Unrated:
		text += " (unrated)"
	case rec.Source == arena.Adjudicated:
		text += " (adjudicated)"
	}
	switch {
	case rec.Status == arena.StatusExcluded && rec.By != nil:
		text = fmt.Sprintf("excluded (%d, worker %s): %s", rec.Attempt, rec.By.Worker, text)
	case rec.Status == arena.StatusExcluded:
		text = fmt.Sprintf("excluded (%d): %s", rec.Attempt, text)
	case rec.Status == arena.StatusVoid:
		text = fmt.Sprintf("void (attempt %d at the pair): %s", rec.Attempt, text)
	}
	if rec.Roles != ([2]string{}) {
		text += "  [" + rec.Roles[0] + " - " + rec.Roles[1] + "]"
	}
	return strings.Join(strings.Fields(text), " ")
}
