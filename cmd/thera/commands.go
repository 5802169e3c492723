package main

import (
	"github.com/spf13/cobra"

	"thera/arena/player"
)

// commands returns every command, sorted by name.
func commands(machine player.Machine) []*cobra.Command {
	return []*cobra.Command{
		benchCommand(),
		bisectCommand(),
		centralCommand(),
		checkCommand(machine),
		eloCommand(),
		engineCommand(),
		exportCommand(),
		gamesCommand(),
		godsCommand(),
		historyCommand(),
		importCommand(),
		initCommand(),
		inviteCommand(),
		judgeCommand(),
		movesCommand(),
		perftCommand(),
		rateCommand(),
		replayCommand(),
		resultsCommand(),
		runCommand(machine),
		runsCommand(),
		serveCommand(),
		testCommand(),
		tuneCommand(),
		vsCommand(machine),
		workerCommand(),
	}
}
