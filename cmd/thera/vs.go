package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/player"
	"thera/arena/sandbox"
	"thera/arena/session"
	"thera/engine/game"
)

// vsCommand plays engines named on the command line.
func vsCommand(machine player.Machine) *cobra.Command {
	o := playOptions{machine: machine}
	var q config.Quick
	var m matchFlags
	var show bool
	cmd := &cobra.Command{
		Use:   "vs 'COMMAND' 'COMMAND'…",
		Short: "Play engines against each other without a match file",
		Long: "Each COMMAND is a program with arguments, as in a shell, or builtin for the built-in engine; name=COMMAND\n" +
			"names it. By default two engines play 10 pairs of games, and games start after 4 random plies, or from\n" +
			"the start that the game draws. --print prints the match file instead of playing; thera init writes it\n" +
			"to a file. In mill, engines play at full strength, SkillLevel 30, if all of them have that option,\n" +
			"otherwise by their defaults, which is level 1 for builtin; --set engines.NAME.options.SkillLevel=N sets it.",
		Example: "  thera vs builtin './rival --uci' --rounds 50 --limit 100ms\n" +
			"  thera vs ./engine-new ./engine-old --format sprt --limit nodes=20000\n" +
			"  thera vs builtin weak=builtin --set engines.weak.limit.depth=2 --print",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Commands = args
			if err := m.quick(cmd, &q); err != nil {
				return err
			}
			host, err := thisHost()
			if err != nil {
				return err
			}
			q.Takes = func(plan *arena.Plan, options []game.Option) (bool, error) {
				return o.strong(cmd.Context(), plan, options, cmd.ErrOrStderr())
			}
			plan, text, err := q.Plan("vs.yaml", m.sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			if show {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			return play(cmd, plan, host.Cores, &o)
		},
	}
	quickFlags(cmd, &q, &m)
	cmd.Flags().BoolVar(&show, "print", false, "print the match file instead of playing")
	o.flags(cmd)
	return cmd
}

// strong reports whether the programs among the engines take the options of full strength,
// and says what follows from it.
func (o *playOptions) strong(ctx context.Context, plan *arena.Plan, options []game.Option, errOut io.Writer) (bool, error) {
	var words []string
	for _, option := range options {
		words = append(words, option.Name+" "+option.Value)
	}
	level := strings.Join(words, ", ")
	engine, why, err := session.Refuser(ctx, plan, sandbox.Mode(o.sandbox), options)
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
