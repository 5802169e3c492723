package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/conn"
	"thera/arena/session"
	"thera/arena/tournament"
	"thera/engine/game"
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
			"with comments. In mill, engines play at full strength, SkillLevel 30, if all of them have that option,\n" +
			"otherwise by their defaults, which is level 1 for builtin; --set engines.NAME.options.SkillLevel=N sets it.",
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
			q.Takes = func(plan *arena.Plan, options []game.Option) (bool, error) {
				return o.strong(cmd.Context(), plan, options, cmd.ErrOrStderr())
			}
			plan, text, err := q.Plan("vs.yaml", o.sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			if show {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			o.again = again(cmd, args)
			return play(cmd, plan, host.Cores, &o)
		},
	}
	quickFlags(cmd, &q, &rounds, &o.sets)
	cmd.Flags().BoolVar(&show, "print", false, "print the match file instead of playing")
	o.flags(cmd)
	return cmd
}

// strong reports whether the programs among the engines take the options of full strength,
// and says what follows from it.
func (o *playOptions) strong(ctx context.Context, plan *arena.Plan, options []game.Option, errOut io.Writer) (bool, error) {
	mode, err := o.mode()
	if err != nil {
		return false, err
	}
	var words []string
	for _, option := range options {
		words = append(words, option.Name+" "+option.Value)
	}
	level := strings.Join(words, ", ")
	engine, why, err := session.Refuser(ctx, plan, mode, options)
	if err != nil {
		return false, err
	}
	if engine != "" {
		tell(errOut, "%s is set for no engine, for %s does not take it: %v", level, engine, why)
		return false, nil
	}
	tell(errOut, "all engines take %s: they play at full strength, but where --set says otherwise", level)
	return true, nil
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
