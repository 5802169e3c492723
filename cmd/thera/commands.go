package main

import "github.com/spf13/cobra"

// commands returns every command, sorted by name.
func commands() []*cobra.Command {
	return []*cobra.Command{
		benchCommand(),
		bisectCommand(),
		centralCommand(),
		checkCommand(),
		compareCommand(),
		eloCommand(),
		engineCommand(),
		exportCommand(),
		gamesCommand(),
		godsCommand(),
		importCommand(),
		judgeCommand(),
		movesCommand(),
		newCommand(),
		perftCommand(),
		rateCommand(),
		replayCommand(),
		reportCommand(),
		resultsCommand(),
		rmCommand(),
		runCommand(),
		runsCommand(),
		schemaCommand(),
		serveCommand(),
		tablesCommand(),
		testCommand(),
		versionCommand(),
		vsCommand(),
	}
}
