package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/store"
)

// rmCommand deletes runs with their games.
func rmCommand() *cobra.Command {
	var path string
	var force bool
	cmd := &cobra.Command{
		Use:   "rm RUN…",
		Short: "Delete runs and all their games",
		Long:  "Deletes runs, by name or as #number, and all their games. If one of them does not exist, nothing is deleted.\nThe database file shrinks if a quarter of it is empty.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
				var runs []arena.RunInfo
				for _, word := range args {
					if word == "" {
						return fmt.Errorf("a run without a name")
					}
					run, err := db.Find(ctx, word)
					if err != nil {
						return err
					}
					if !force {
						release, err := db.Hold(run.Name)
						if err != nil {
							return fmt.Errorf("nothing is deleted (--force does): %w", err)
						}
						defer release()
					}
					runs = append(runs, run)
				}
				for _, run := range runs {
					if err := db.Remove(ctx, run.ID); err != nil {
						return err
					}
					tell(cmd.ErrOrStderr(), "deleted %s with %d games", run.Name, run.Games)
				}
				freed, err := db.Shrink(ctx)
				switch {
				case err != nil: // the runs are deleted all the same
					tell(cmd.ErrOrStderr(), "%s keeps its size: %v", db.Path(), err)
				case freed > 0:
					tell(cmd.ErrOrStderr(), "%s is %.1f MB smaller", db.Path(), float64(freed)/1e6)
				}
				return nil
			})
		},
	}
	dbFlag(cmd, &path)
	cmd.Flags().BoolVar(&force, "force", false, "also delete a run that is being played")
	return cmd
}
