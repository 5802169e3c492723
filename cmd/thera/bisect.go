package main

import (
	"errors"

	"github.com/spf13/cobra"

	"thera/arena/report"
	"thera/arena/versions"
	"thera/arena/versions/source"
)

// bisectCommand finds the commit that changed an engine's strength.
func bisectCommand() *cobra.Command {
	var v versionFlags
	var answer answerFlags
	var most int
	cmd := &cobra.Command{
		Use:   "bisect GOOD BAD",
		Short: "Find the commit that changed strength, by games between versions",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := v.bisect(cmd, args, most)
			if err != nil {
				return hinted(showProblems(cmd, err))
			}
			found.Width = columns(cmd)
			return answer.verdict(cmd.OutOrStdout(), found, found.Commit != "")
		},
	}
	v.flags(cmd)
	cmd.Flags().IntVar(&most, "games", 20_000, "give up after `N` games")
	answer.flags(cmd, proseForms, "")
	return cmd
}

// batchPairs are played between two versions before the next two are chosen.
const batchPairs = 16

// bisect searches between two commits.
func (v *versionFlags) bisect(cmd *cobra.Command, refs []string, most int) (found *report.Bisection, err error) {
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
		found, err = search.Run(ctx, play, batchPairs, most)
		return err
	})
	return found, err
}
