package main

import (
	"github.com/spf13/cobra"

	"thera/arena/conn"
)

// commands returns every command, sorted by name.
func commands(machine conn.Machine) []*cobra.Command {
	return []*cobra.Command{
		benchCommand(),
		bisectCommand(),
		centralCommand(),
		checkCommand(machine),
		compareCommand(),
		datagenCommand(),
		eloCommand(),
		engineCommand(),
		exportCommand(),
		gamesCommand(),
		godsCommand(),
		historyCommand(),
		importCommand(),
		initCommand(),
		judgeCommand(),
		movesCommand(),
		newCommand(),
		perftCommand(),
		rateCommand(),
		replayCommand(),
		reportCommand(),
		resultsCommand(),
		rmCommand(),
		runCommand(machine),
		runsCommand(),
		schemaCommand(),
		serveCommand(),
		tablesCommand(),
		testCommand(),
		tuneCommand(),
		versionCommand(),
		vsCommand(machine),
		workerCommand(),
	}
}
