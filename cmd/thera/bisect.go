package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"thera/arena/report"
	"thera/arena/source"
	"thera/arena/versions"
)

// bisectCommand finds the commit that changed an engine's strength.
func bisectCommand() *cobra.Command {
	var v versionFlags
	var asJSON bool
	batch, most := 32, 20_000
	form := string(report.Terminal)
	cmd := &cobra.Command{
		Use:   "bisect GOOD BAD",
		Short: "Find the commit that lost (or won) strength, by games between versions",
		Long: "Plays versions of an engine between two commits, as thera.yaml in its repository says, until one commit\n" +
			"has a probability of 95 %. It assumes that one commit changed the strength, and chooses the versions to\n" +
			"play by what their games are expected to tell. All games count, also those of earlier searches in the\n" +
			"database; the same command resumes. The exit status is 3 if no commit is found.",
		Example: "  thera bisect v1.2 main\n  thera bisect HEAD~40 HEAD --json",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := proseOf(form)
			switch {
			case err != nil:
				return err
			case batch < 2 || batch%2 != 0:
				return fmt.Errorf("--batch %d: expected an even number from 2", batch)
			}
			found, err := v.bisect(cmd, args, batch/2, most)
			if err != nil {
				return hinted(showProblems(cmd, err))
			}
			if asJSON {
				err = report.NewJSON(cmd.OutOrStdout()).Encode(found)
			} else {
				err = found.Write(cmd.OutOrStdout(), form)
			}
			if err == nil && found.Commit == "" {
				err = &exitError{code: exitNotMet}
			}
			return err
		},
	}
	v.flags(cmd)
	cmd.Flags().IntVar(&batch, "batch", batch, "games between two versions before the next two are chosen")
	cmd.Flags().IntVar(&most, "games", most, "give up after so many games")
	cmd.Flags().StringVar(&form, "format", form, "text or markdown")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// bisect searches between two commits.
func (v *versionFlags) bisect(cmd *cobra.Command, refs []string, pairs, most int) (found *report.Bisection, err error) {
	ctx := cmd.Context()
	contest, repo, err := v.open(cmd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	var ends [2]source.Commit
	for i, ref := range refs {
		if ends[i], err = repo.Commit(ctx, ref); err != nil {
			return nil, err
		}
	}
	commits, err := repo.Between(ctx, ends[0], ends[1])
	if err != nil {
		return nil, err
	}
	search, err := contest.NewBisection(commits)
	if err != nil {
		return nil, err
	}
	err = v.games(cmd, func(play versions.Games) error {
		found, err = search.Run(ctx, play, pairs, most)
		return err
	})
	return found, err
}
