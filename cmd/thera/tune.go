package main

import (
	"github.com/spf13/cobra"

	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/versions"
)

// tuneCommand tunes options of an engine by games.
func tuneCommand() *cobra.Command {
	var v versionFlags
	var out answerFlags
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Tune options of an engine by games, then test the tuned values",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer, err := v.tune(cmd, args[0])
			if err != nil {
				return showProblems(cmd, err)
			}
			answer.Width = columns(cmd)
			return out.verdict(cmd.OutOrStdout(), answer, answer.Passed)
		},
	}
	v.playFlags(cmd, "")
	out.flags(cmd, proseForms, "")
	return cmd
}

// tune tunes and tests what a file describes.
func (v *versionFlags) tune(cmd *cobra.Command, file string) (answer *report.Tuning, err error) {
	ctx := cmd.Context()
	host, err := thisHost()
	if err != nil {
		return nil, err
	}
	contest, err := config.LoadContest(file, v.sets, host)
	if err != nil {
		return nil, err
	}
	tuning, err := v.contest(cmd, contest).NewTuning(ctx)
	if err != nil {
		return nil, err
	}
	err = v.games(cmd, func(play versions.Games) error {
		answer, err = tuning.Run(ctx, play)
		return err
	})
	return answer, err
}
