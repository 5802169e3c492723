package main

import "github.com/spf13/cobra"

// commands lists every command, one a line, by name.
func commands() []*cobra.Command {
	return []*cobra.Command{
		eloCommand(),
		checkCommand(),
		engineCommand(),
		godsCommand(),
		movesCommand(),
		perftCommand(),
		benchCommand(),
		rateCommand(),
		runCommand(),
		schemaCommand(),
		tablesCommand(),
	}
}
