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
		Long: "Lists the games of a run, by default the latest. Pairs that are void because the machine stalled\n" +
			"count nowhere; --all shows their games. Damaged games are listed on stderr, and the exit status is 1.",
		Example: "  thera games --engine rival --faults\n  thera games quickstart.yaml --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				run, err := runNamed(ctx, db, args)
				if err != nil {
					return err
				}
				out := bufio.NewWriter(cmd.OutOrStdout())
				return errors.Join(o.damage.after(o.list(ctx, out, db, run)), out.Flush())
			})
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&o.all, "all", false, "include pairs that are void because the machine stalled")
	cmd.Flags().StringVar(&o.engine, "engine", "", "only games of this `ENGINE`")
	cmd.Flags().BoolVar(&o.faults, "faults", false, "only games that ended by a fault, each with its place, limit and the engine's last words")
	return cmd
}

type gamesOptions struct {
	db, engine  string
	json        bool
	all, faults bool
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
	columns := gameColumns(wide)
	print := func(cell func(gameColumn) any) error {
		var line strings.Builder
		for _, c := range columns {
			value := cell(c)
			if text, ok := value.(string); ok {
				value = report.Printable(text)
			}
			fmt.Fprintf(&line, c.format, value)
		}
		_, err := fmt.Fprintln(out, line.String())
		return err
	}
	enc := jsonLines(out)
	if !o.json {
		if err := print(func(c gameColumn) any { return c.head }); err != nil {
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
			if err := enc.Encode(report.Line(run.Name, rec)); err != nil {
				return err
			}
			continue
		}
		if err := print(func(c gameColumn) any { return c.cell(rec) }); err != nil {
			return err
		}
		if o.faults {
			fmt.Fprintf(out, "%s\n\n", strings.Join(report.FaultLines(rec, o.replay()), "\n"))
		}
	}
	return nil
}

// replay is the command that shows a game.
func (o *gamesOptions) replay() string {
	words := []string{"thera", "replay"}
	if o.db != defaultDB() {
		words = append(words, "--db", o.db)
	}
	return strings.Join(quoteAll(words), " ")
}

// gameColumn is a column of the list of games. Rows are printed as games are
// read, so its width is part of its format.
type gameColumn struct {
	format, head string
	cell         func(*arena.Record) any
}

// gameColumns returns the columns; wide is the length of the longest name.
func gameColumns(wide int) []gameColumn {
	name := fmt.Sprintf("  %%-%dv", wide)
	return []gameColumn{
		{"%-12v", "Game", func(r *arena.Record) any { return report.Short(r.ID) }},
		{" %5v", "Round", func(r *arena.Record) any { return r.Round }},
		{" %5v", "Pair", func(r *arena.Record) any { return r.Pair }},
		{name, "First", func(r *arena.Record) any { return r.Engine(game.First) }},
		{name, "Second", func(r *arena.Record) any { return r.Engine(game.Second) }},
		{"  %-6v", "Result", func(r *arena.Record) any { return resultText(r) }},
		{"  %5v", "Plies", func(r *arena.Record) any { return len(r.Moves) }},
		{"  %v", "Reason", func(r *arena.Record) any { return reasonText(r) }},
	}
}

func resultText(rec *arena.Record) string {
	if rec.Source == arena.Stalled || rec.Source == arena.Unrated {
		return "-"
	}
	return map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
}

// reasonText returns why a game ended, with the roles if there are any.
func reasonText(rec *arena.Record) string {
	text := rec.Outcome.Reason
	switch {
	case rec.Source == arena.Faulted && rec.Blamed != game.None:
		text = rec.Engine(rec.Blamed) + ": " + text
	case rec.Source == arena.Unrated:
		text += " (unrated)"
	case rec.Source == arena.Adjudicated:
		text += " (adjudicated)"
	}
	if rec.Void > 0 {
		text = fmt.Sprintf("void (attempt %d at the pair): %s", rec.Void, text)
	}
	if rec.Roles != ([2]string{}) {
		text += "  [" + rec.Roles[0] + " - " + rec.Roles[1] + "]"
	}
	return strings.Join(strings.Fields(text), " ")
}
