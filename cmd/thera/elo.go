package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena/rating"
	"thera/arena/report"
)

// eloCommand computes statistics of game or pair counts as one JSON object.
func eloCommand() *cobra.Command {
	var wdl rating.WDL
	var pairs []int64
	test := rating.Test{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: rating.Normalized}
	cmd := &cobra.Command{
		Use:   "elo --wins W --draws D --losses L | --penta LL,LD,WLDD,WD,WW",
		Short: "Compute Elo from game or pair counts, as JSON",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			paired := cmd.Flags().Changed("penta")
			var penta rating.Penta
			if copy(penta[:], pairs); paired && len(pairs) != len(penta) {
				return fmt.Errorf("--penta: %d counts, want five: LL,LD,WLDD,WD,WW", len(pairs))
			}
			if err := errors.Join(test.Check(paired), wdl.Check(), penta.Check()); err != nil {
				return err
			}
			estimate, state := rating.Singly(wdl).Estimate(), test.Games(wdl)
			if paired {
				estimate, state = rating.OfPairs(penta), test.Pairs(penta)
			}
			answer := struct {
				rating.Estimate
				EloError *float64 `json:"elo_error"` // half the width of the bounds
				rating.State
				Warnings []string `json:"warnings"`
			}{estimate, estimate.EloError(), state, estimate.Caveats}
			for _, w := range state.Caveats {
				if !slices.Contains(answer.Warnings, w) {
					answer.Warnings = append(answer.Warnings, w)
				}
			}
			return report.NewJSON(cmd.OutOrStdout()).Encode(answer)
		},
	}
	flags := cmd.Flags()
	flags.Int64Var(&wdl.Wins, "wins", 0, "games won")
	flags.Int64Var(&wdl.Draws, "draws", 0, "games drawn")
	flags.Int64Var(&wdl.Losses, "losses", 0, "games lost")
	flags.Int64SliceVar(&pairs, "penta", nil, "numbers of pairs by points, `LL,LD,WLDD,WD,WW`")
	flags.Float64Var(&test.Elo0, "elo0", test.Elo0, "sequential test: the null hypothesis")
	flags.Float64Var(&test.Elo1, "elo1", test.Elo1, "sequential test: the alternative")
	flags.Float64Var(&test.Alpha, "alpha", test.Alpha, "sequential test: rate of false H1")
	flags.Float64Var(&test.Beta, "beta", test.Beta, "sequential test: rate of false H0")
	flags.StringVar((*string)(&test.Model), "model", string(test.Model),
		"sequential test: normalized, logistic or bayesian")
	cmd.MarkFlagsOneRequired("wins", "draws", "losses", "penta")
	for _, name := range []string{"wins", "draws", "losses"} {
		cmd.MarkFlagsMutuallyExclusive("penta", name)
	}
	return cmd
}
