package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// compareCommand says in one sentence whether B is better than A.
func compareCommand() *cobra.Command {
	var path, run string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Say in one sentence whether engine B is better than engine A",
		Long: "Compares two engines of a run: the run that --run names, or the latest that has both. If more engines\n" +
			"played, all games are used (joint Bradley-Terry rating).",
		Example: "  thera compare old new",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
				sum, err := summaryWith(ctx, db, run, args)
				if err != nil {
					return err
				}
				c, err := report.Compare(sum, args[0], args[1])
				if err != nil {
					return err
				}
				if asJSON {
					return report.NewJSON(cmd.OutOrStdout()).Encode(c)
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), report.Wrap(c.Sentence, columns(cmd), 2))
				return err
			})
		},
	}
	dbFlag(cmd, &path)
	cmd.Flags().StringVar(&run, "run", "", "the `RUN` in which they played")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// summaryWith returns the summary of the run, or of the latest run that has
// all these engines.
func summaryWith(ctx context.Context, db *store.Store, word string, engines []string) (*arena.Summary, error) {
	var runs []arena.RunInfo
	if word != "" {
		run, err := db.Find(ctx, word)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	} else {
		var err error
		if runs, err = db.Runs(ctx); err != nil {
			return nil, err
		}
	}
	for _, run := range runs {
		sum, err := summaryOf(ctx, db, run)
		if err != nil {
			return nil, err
		}
		missing := slices.IndexFunc(engines, func(name string) bool {
			return !slices.ContainsFunc(sum.Engines, func(e arena.EngineSpec) bool { return e.Name == name })
		})
		if missing < 0 {
			return sum, nil
		}
		if word != "" {
			return nil, fmt.Errorf("no engine %q in run %s", engines[missing], run.Name)
		}
	}
	return nil, fmt.Errorf("no run has both %q and %q (see thera runs)", engines[0], engines[1])
}
