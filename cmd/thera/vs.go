package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/conn"
	"thera/arena/tournament"
)

// vsCommand plays engines named on the command line.
func vsCommand(machine conn.Machine) *cobra.Command {
	o := playOptions{machine: machine}
	var q config.Quick
	var rounds int
	var show bool
	cmd := &cobra.Command{
		Use:   "vs 'COMMAND' 'COMMAND'…",
		Short: "Play engines against each other without a match file",
		Long: "Each COMMAND is a program with arguments, as in a shell, or builtin for the built-in engine; name=COMMAND\n" +
			"names it. By default two engines play 10 pairs of games, and games start after 4 random plies, or from\n" +
			"the start that the game draws. --print prints the match file instead of playing; thera init writes one\n" +
			"with comments. In mill, builtin plays at its full strength, SkillLevel 30; the default of its protocol\n" +
			"is 1: --set engines.builtin.options.SkillLevel=1. In a match file builtin: true means the defaults.",
		Example: "  thera vs builtin './rival --uci' --rounds 50 --limit 100ms\n" +
			"  thera vs ./engine-new ./engine-old --format sprt --limit nodes=20000\n" +
			"  thera vs builtin weak=builtin --set engines.weak.limit.depth=2 --print",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Commands = args
			if err := quickRounds(cmd, &q, &rounds); err != nil {
				return err
			}
			host, err := thisHost()
			if err != nil {
				return err
			}
			plan, text, err := q.Plan("vs.yaml", o.sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			if show {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			o.again = "thera " + strings.Join(quoteAll(again(&q, &o)), " ")
			return play(cmd, plan, host.Cores, &o)
		},
	}
	quickFlags(cmd, &q, &rounds, &o.sets)
	cmd.Flags().BoolVar(&show, "print", false, "print the match file instead of playing")
	o.flags(cmd)
	return cmd
}

// quickFlags adds the flags that describe a match without a file.
func quickFlags(cmd *cobra.Command, q *config.Quick, rounds *int, sets *[]string) {
	f := cmd.Flags()
	f.StringVar(&q.Game, "game", "santorini", "which game")
	f.StringVar(&q.Format, "format", "round-robin", strings.Join(tournament.Names(), ", "))
	f.IntVar(rounds, "rounds", 10, "pairs of games for each pairing; formats other than round-robin have their own default")
	f.StringVar(&q.Limit, "limit", "", arena.LimitUsage()+" (default 200ms)")
	f.StringVar(&q.Rules, "rules", "", "the game's rules, `key=value,…` or YAML {…}")
	f.StringVar(&q.Openings, "openings", "", "start positions, `key=value,…` (random_plies=4, file=book.fen) or YAML {…} (default random_plies=4; none if the game draws its start)")
	f.StringVar(&q.SPRT, "sprt", "", "bounds of a test, `elo0=0,elo1=10,…`, with --format sprt")
	f.StringVar(&q.Concurrency, "concurrency", "", "games at a time, or auto (default 1)")
	f.Uint64Var(&q.Seed, "seed", 0, "seed of all openings (default 1)")
	f.StringVar(&q.Name, "name", "", "name of the run (default: engines, game and limit; of a file: its path)")
	f.StringArrayVar(sets, "set", nil, "override `key.path=value` of the match, as engines.rival.options.hash=64 (repeatable)")
}

// quickRounds sets the rounds of a match if they are given, or if its format has no
// default.
func quickRounds(cmd *cobra.Command, q *config.Quick, rounds *int) error {
	switch given := cmd.Flags().Changed("rounds"); {
	case given && *rounds < 1:
		return fmt.Errorf("--rounds %d: expected 1 or more", *rounds)
	case given || q.Format == "round-robin":
		q.Rounds = rounds
	}
	return nil
}

// again returns the arguments that resume the match, without --fresh.
func again(q *config.Quick, o *playOptions) []string {
	words := append([]string{"vs"}, q.Commands...)
	if q.Rounds != nil {
		words = append(words, "--rounds", fmt.Sprint(*q.Rounds))
	}
	for _, f := range []struct{ name, value, usual string }{
		{"game", q.Game, "santorini"},
		{"format", q.Format, "round-robin"},
		{"limit", q.Limit, ""},
		{"rules", q.Rules, ""},
		{"openings", q.Openings, ""},
		{"sprt", q.SPRT, ""},
		{"concurrency", q.Concurrency, ""},
		{"seed", fmt.Sprint(q.Seed), "0"},
		{"name", q.Name, ""},
	} {
		if f.value != f.usual {
			words = append(words, "--"+f.name, f.value)
		}
	}
	return append(words, o.words()...)
}
