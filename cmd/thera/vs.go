package main

import (
	"github.com/spf13/cobra"

	"thera/arena/player"
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
			plan, text, err := quick(cmd, name, args...).Plan("command line", sets, host)
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
