package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// runsCommand lists the stored runs.
func runsCommand() *cobra.Command {
	var db string
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs in the database, the latest first",
		Long: "Lists the runs in the database, the latest first. A run whose process was killed is shown as interrupted.\n" +
			"The steps of tunings, of which each is a run, are shown with --all, and always in JSON.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(cmd, db, func(ctx context.Context, db *store.Store) error {
				runs, damaged := db.Runs(ctx)
				if damaged != nil && !errors.Is(damaged, store.ErrDamaged) {
					return damaged
				}
				shown := runs
				if !all {
					shown = slices.DeleteFunc(slices.Clone(runs), func(r arena.RunInfo) bool { return r.Plan.Trial })
				}
				table := report.RunTable(shown)
				if steps := len(runs) - len(shown); steps > 0 {
					table.Notes = append(table.Notes, fmt.Sprintf("--all shows also %d steps of tunings", steps))
				}
				show := table.Fit(columns(cmd)).Write
				if asJSON {
					show = func(out io.Writer, _ report.Format) error { return printRunsJSON(out, runs) }
				}
				if err := show(cmd.OutOrStdout(), report.Terminal); err != nil {
					return err
				}
				if damaged != nil {
					return &exitError{code: exitFindings, err: damaged}
				}
				return nil
			})
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().BoolVar(&all, "all", false, "also list the steps of tunings")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

type runLine struct {
	ID      int64     `json:"id"`
	Run     string    `json:"run"`
	Game    string    `json:"game"`
	Format  string    `json:"format"`
	State   string    `json:"state"`
	Games   int       `json:"games"`
	File    string    `json:"file"`
	Started time.Time `json:"started"`
	Changed time.Time `json:"changed"`
	Remarks []string  `json:"remarks"`
}

func printRunsJSON(out io.Writer, runs []arena.RunInfo) error {
	enc := report.NewJSON(out)
	for _, r := range runs {
		line := runLine{
			ID: r.ID, Run: r.Name, Game: r.Game, Format: r.Plan.Format.Name, State: r.State, Games: r.Games, File: r.Plan.File,
			Started: r.Started.UTC(), Changed: r.Changed.UTC(), Remarks: []string{},
		}
		for _, remark := range r.Remarks {
			line.Remarks = append(line.Remarks, remark.Text)
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
