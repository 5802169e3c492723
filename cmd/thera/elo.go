package main

import (
	"fmt"
	"strconv"
	"strings"

	"thera/arena/report"

	"github.com/spf13/cobra"

	"thera/arena/rating"
)

// eloCommand computes statistics of game or pair counts as one JSON object.
func eloCommand() *cobra.Command {
	var counts eloCounts
	test := rating.Test{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: rating.Normalized}
	cmd := &cobra.Command{
		Use:   "elo [W D L | LL LD WLDD WD WW]",
		Short: "Compute Elo from wins, draws and losses, or from pairs of games, as JSON",
		Long: "Prints Elo with 95 % bounds, normalized Elo and the likelihood of superiority. The input is three counts\n" +
			"(wins, draws, losses) or five (pairs of games by points: 0, ½, 1, 1½, 2). With any of --elo0, --elo1,\n" +
			"--alpha, --beta and --model it also prints the state of a sequential test of elo0 against elo1.\n" +
			"An undefined value is null, and a warning says why: if the results have no spread (a whitewash, all\n" +
			"draws, one game), elo_lo, elo_hi, nelo and los are undefined. Wilson's bounds of the score, bound_lo\n" +
			"and bound_hi, and the llr of a test are always defined.",
		Example: "  thera elo 120 200 100\n  thera elo --penta 10,40,110,60,20 --elo0 0 --elo1 5",
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"wins", "draws", "losses"} {
				counts.games = counts.games || cmd.Flags().Changed(name)
			}
			if err := counts.read(args); err != nil {
				return err
			}
			var tested *rating.Test
			for _, name := range []string{"elo0", "elo1", "alpha", "beta", "model"} {
				if cmd.Flags().Changed(name) {
					tested = &test
				}
			}
			answer, err := eloOf(counts, tested)
			if err != nil {
				return err
			}
			return report.NewJSON(cmd.OutOrStdout()).Encode(answer)
		},
	}
	flags := cmd.Flags()
	flags.Int64Var(&counts.wdl.Wins, "wins", 0, "games won")
	flags.Int64Var(&counts.wdl.Draws, "draws", 0, "games drawn")
	flags.Int64Var(&counts.wdl.Losses, "losses", 0, "games lost")
	flags.StringVar(&counts.pentaText, "penta", "", "numbers of pairs by points, `LL,LD,WLDD,WD,WW`")
	flags.Float64Var(&test.Elo0, "elo0", test.Elo0, "sequential test: the null hypothesis")
	flags.Float64Var(&test.Elo1, "elo1", test.Elo1, "sequential test: the alternative")
	flags.Float64Var(&test.Alpha, "alpha", test.Alpha, "sequential test: rate of false H1")
	flags.Float64Var(&test.Beta, "beta", test.Beta, "sequential test: rate of false H0")
	flags.StringVar((*string)(&test.Model), "model", string(test.Model), "sequential test: normalized, logistic or bayesian")
	return cmd
}

// eloCounts are games or pairs, from flags or words.
type eloCounts struct {
	games     bool // --wins, --draws or --losses was given
	wdl       rating.WDL
	pentaText string
	paired    bool
	penta     rating.Penta
}

// read takes the arguments and checks all counts.
func (c *eloCounts) read(args []string) error {
	sources := 0
	for _, given := range []bool{c.games, c.pentaText != "", len(args) > 0} {
		if given {
			sources++
		}
	}
	switch {
	case sources == 0:
		return fmt.Errorf("no counts: give W D L, LL LD WLDD WD WW, --wins --draws --losses or --penta")
	case sources > 1:
		return fmt.Errorf("counts are given twice: use words, --penta, or --wins --draws --losses")
	}
	if c.pentaText != "" {
		args = strings.Split(c.pentaText, ",")
		if len(args) != 5 {
			return fmt.Errorf("--penta %s: %d counts, want five: LL,LD,WLDD,WD,WW", c.pentaText, len(args))
		}
	}
	values := make([]int64, len(args))
	for i, word := range args {
		n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil {
			return fmt.Errorf("count %d, %q: not a whole number", i+1, word)
		}
		values[i] = n
	}
	switch len(values) {
	case 0:
	case 3:
		c.wdl = rating.WDL{Wins: values[0], Draws: values[1], Losses: values[2]}
	case 5:
		c.paired, c.penta = true, rating.Penta(values)
		return c.penta.Check()
	default:
		return fmt.Errorf("%d counts: want three (W D L) or five (LL LD WLDD WD WW)", len(values))
	}
	return c.wdl.Check()
}

// eloAnswer is a summary with the test's state, if one was asked for.
type eloAnswer struct {
	rating.Estimate
	EloError  *float64 `json:"elo_error"` // half the width of the bounds
	LLR       *float64 `json:"llr"`
	Lower     *float64 `json:"lower"`
	Upper     *float64 `json:"upper"`
	Decision  *string  `json:"decision"`
	GamesLeft *float64 `json:"games_left"`
	Warnings  []string `json:"warnings"`
}

func eloOf(c eloCounts, test *rating.Test) (eloAnswer, error) {
	var a eloAnswer
	if c.paired {
		a.Estimate = rating.OfPairs(c.penta)
	} else {
		a.Estimate = rating.OfGames(c.wdl)
	}
	a.EloError = a.Estimate.EloError()
	a.Warnings = a.Estimate.Caveats
	if test == nil {
		return a, nil
	}
	if err := test.Check(c.paired); err != nil {
		return a, err
	}
	var s rating.State
	if c.paired {
		s = test.Pairs(c.penta)
	} else {
		s = test.Games(c.wdl)
	}
	a.LLR, a.Lower, a.Upper, a.Decision, a.GamesLeft = &s.LLR, &s.Lower, &s.Upper, &s.Decision, s.GamesLeft
	for _, w := range s.Caveats {
		if a.Games > 0 { // otherwise it says twice that there are no games
			a.Warnings = append(a.Warnings, w)
		}
	}
	return a, nil
}
