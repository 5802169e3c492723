package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/session"
	"thera/engine/game"
)

// vsCommand plays engines named on the command line.
func vsCommand(machine player.Machine) *cobra.Command {
	o := playOptions{machine: machine}
	var sets []string
	var name string
	var show bool
	cmd := &cobra.Command{
		Use:   "vs 'COMMAND' 'COMMAND'…",
		Short: "Play engines against each other without a match file",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			host, err := thisHost()
			if err != nil {
				return err
			}
			q := quick(cmd, name, args...)
			q.Takes = func(plan *arena.Plan, options []game.Option) (bool, error) {
				return o.strong(cmd.Context(), plan, options, cmd.ErrOrStderr())
			}
			plan, text, err := q.Plan("command line", sets, host)
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
	quickFlags(cmd, &sets, &name)
	cmd.Flags().BoolVar(&show, "print", false, "print the match file instead of playing")
	o.flags(cmd)
	return cmd
}

// strong reports whether the programs among the engines take the options of full strength,
// and says what follows from it.
func (o *playOptions) strong(
	ctx context.Context, plan *arena.Plan, options []game.Option, errOut io.Writer,
) (bool, error) {
	level := strings.Join(arena.Map(options, func(o game.Option) string { return o.Name + " " + o.Value }), ", ")
	engine, why, err := session.Refuser(ctx, plan, o.sandbox, options)
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
