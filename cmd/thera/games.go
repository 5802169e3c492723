package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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
		Long: "Lists the games of a run, by default the latest. Pairs that are void because the machine stalled, and\n" +
			"games of a worker that were set aside (thera runs --worker), count nowhere; --all shows them. Damaged games are listed on stderr, and the exit status is 1.",
		Example: "  thera games --engine rival --faults\n  thera games quickstart.yaml --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				run, err := runNamed(ctx, db, args)
				if err != nil {
					return err
				}
				o.width = columns(cmd)
				out := bufio.NewWriter(cmd.OutOrStdout())
				return errors.Join(o.damage.after(o.list(ctx, out, db, run)), out.Flush())
			})
		},
	}
	dbFlag(cmd, &o.db)
	jsonFlag(cmd, &o.json, eachObject)
	allFlag(cmd, &o.all)
	cmd.Flags().StringVar(&o.engine, "engine", "", "only games of this `ENGINE`")
	cmd.Flags().BoolVar(&o.faults, "faults", false, "only games that ended by a fault, each with its place, limit and the engine's last words")
	return cmd
}

type gamesOptions struct {
	db, engine  string
	json        bool
	all, faults bool
	width       int // of a line for people
	damage      damage
}

func (o *gamesOptions) list(ctx context.Context, out io.Writer, db *store.Store, run arena.RunInfo) error {
	engines, err := db.Engines(ctx, run.ID)
	if err != nil {
		return err
	}
	wide, known := len("First"), o.engine == ""
	for _, e := range engines {
		wide = max(wide, len([]rune(report.Printable(e.Name))))
		known = known || e.Name == o.engine
	}
	if !known {
		return fmt.Errorf("--engine %s: no engine of run %s", o.engine, run.Name)
	}
	columns, indent := gameColumns(wide, o.width)
	print := func(cell func(gameColumn) string) error {
		var line strings.Builder
		for _, c := range columns {
			text := report.Squeeze(report.Printable(cell(c)), c.width)
			pad := strings.Repeat(" ", max(0, c.width-report.TextWidth(text)))
			if c.left {
				line.WriteString(text + pad + "  ")
			} else {
				line.WriteString(pad + text + "  ")
			}
		}
		_, err := fmt.Fprintln(out, report.Wrap(strings.TrimRight(line.String(), " "), o.width, indent))
		return err
	}
	enc := report.NewJSON(out)
	if !o.json {
		if err := print(func(c gameColumn) string { return c.head }); err != nil {
			return err
		}
	}
	for rec, err := range db.Games(ctx, run.ID, o.all) {
		if o.damage.take(err) {
			continue
		}
		if err != nil {
			return err
		}
		if o.faults && rec.Source != arena.Faulted && rec.Source != arena.Stalled {
			continue
		}
		if o.engine != "" && rec.Pairing[0] != o.engine && rec.Pairing[1] != o.engine {
			continue
		}
		if o.json {
			if err := enc.Encode(rec.Line(run.Name)); err != nil {
				return err
			}
			continue
		}
		if err := print(func(c gameColumn) string { return c.cell(rec) }); err != nil {
			return err
		}
		if o.faults {
			fmt.Fprintf(out, "%s\n\n", strings.Join(report.FaultLines(rec, strings.TrimSpace("thera replay "+dbWords(o.db))), "\n"))
		}
	}
	if !o.json && len(columns) < allGameColumns {
		fmt.Fprintln(out, "--wide shows also: Round, Pair")
	}
	return nil
}

// gameColumn is a column of the list of games. Rows are printed as games are
// read, so its width is known before.
type gameColumn struct {
	head  string
	width int // 0: as long as its text
	left  bool
	drop  bool // where there is little room
	cell  func(*arena.Game) string
}

const allGameColumns = 8

// gameColumns returns the columns that fit in width, and where the last one, the
// reason, begins. It continues there if it is long. name is the length of the
// longest name of an engine.
func gameColumns(name, width int) (columns []gameColumn, indent int) {
	const reason = 24 // columns that a reason needs
	for _, room := range []struct {
		name int
		all  bool
	}{{name, true}, {min(name, 20), true}, {min(name, 20), false}, {min(name, 11), false}} {
		columns, indent = nil, 0
		for _, c := range []gameColumn{
			{"Game", 12, true, false, func(r *arena.Game) string { return arena.Short(r.ID) }},
			{"Round", 5, false, true, func(r *arena.Game) string { return fmt.Sprint(r.Round) }},
			{"Pair", 4, false, true, func(r *arena.Game) string { return fmt.Sprint(r.Pair) }},
			{"First", room.name, true, false, func(r *arena.Game) string { return r.Engine(game.First) }},
			{"Second", max(room.name, len("Second")), true, false, func(r *arena.Game) string { return r.Engine(game.Second) }},
			{"Result", 6, true, false, resultText},
			{"Plies", 5, false, false, func(r *arena.Game) string { return fmt.Sprint(len(r.Moves)) }},
			{"Reason", 0, true, false, reasonText},
		} {
			if c.drop && !room.all {
				continue
			}
			columns = append(columns, c)
			if c.width > 0 {
				indent += c.width + 2
			}
		}
		if width == 0 || indent+reason <= width {
			break
		}
	}
	return columns, indent
}

func resultText(rec *arena.Game) string {
	if rec.Source == arena.Stalled || rec.Source == arena.Unrated {
		return "-"
	}
	return map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
}

// reasonText returns why a game ended, with the roles if there are any.
func reasonText(rec *arena.Game) string {
	text := rec.Outcome.Reason
	switch {
	case rec.Source == arena.Faulted && rec.Blamed != game.None:
		text = rec.Engine(rec.Blamed) + ": " + text
	case rec.Source == arena.Unrated:
		text += " (unrated)"
	case rec.Source == arena.Adjudicated:
		text += " (adjudicated)"
	}
	switch {
	case rec.Status == arena.StatusExcluded && rec.By != nil:
		text = fmt.Sprintf("set aside (%d, worker %s): %s", rec.Attempt, rec.By.Worker, text)
	case rec.Status == arena.StatusVoid:
		text = fmt.Sprintf("void (attempt %d at the pair): %s", rec.Attempt, text)
	}
	if rec.Roles != ([2]string{}) {
		text += "  [" + rec.Roles[0] + " - " + rec.Roles[1] + "]"
	}
	return strings.Join(strings.Fields(text), " ")
}
