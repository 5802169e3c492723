package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/player"
	"thera/arena/report"
	"thera/engine/all"
)

// defaultDB is the database of runs: THERA_DB, or a file below the working directory.
func defaultDB() string { return cmp.Or(os.Getenv("THERA_DB"), filepath.Join("results", "thera.db")) }

// dbWords are the words of a command that lead it to a database, as a shell reads
// them; none for the default.
func dbWords(path string) string {
	if path == defaultDB() {
		return ""
	}
	return shellquote.Join("--db", path)
}

// replayWords is the command that shows a game of a database, without the game.
func replayWords(path string) string { return strings.TrimSpace("thera replay " + dbWords(path)) }

// replaying is what shows and repeats games of a plan in a database.
func replaying(path string, plan *arena.Plan) report.Again {
	return report.Again{Show: replayWords(path), Plan: plan}
}

// runCommand plays or resumes the tournament of a match file.
func runCommand(machine player.Machine) *cobra.Command {
	o := playOptions{machine: machine}
	var sets []string
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Play or resume the tournament of a match file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			host, err := thisHost()
			if err != nil {
				return err
			}
			o.remote.given = cmd.Flags().Changed("slots")
			plan, err := config.Load(args[0], append(sets, keyWords(cmd)...), host)
			if err != nil {
				return showProblems(cmd, err)
			}
			return play(cmd, plan, host.Cores, &o)
		},
	}
	o.flags(cmd)
	o.remote.flags(cmd)
	keyFlags(cmd, "limit", "rounds", "concurrency")
	setFlag(cmd, &sets)
	return cmd
}

// playOptions are the flags that run and vs have in common.
type playOptions struct {
	db      string
	fresh   bool
	require []string
	sandbox string
	events  string
	log     string
	every   int
	pages   serveOptions // where the run is shown; an empty address: nowhere
	remote  remoteOptions
	machine player.Machine
}

func (o *playOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	dbFlag(cmd, &o.db)
	f.BoolVar(&o.fresh, "fresh", false, "start a new run; an earlier run of this name is renamed, not deleted")
	f.StringArrayVar(&o.require, "require", nil,
		"exit with 3 unless h1, not-h0 or a `bound` such as 'elo_lo > -5' or 'faults < 1' holds (repeatable)")
	sandboxFlag(cmd, &o.sandbox, "")
	eventsFlag(cmd, &o.events)
	f.StringVar(&o.log, "log", "", "write every line to and from the engines to `FILE`, such as /dev/stderr")
	f.IntVar(&o.every, "every", 0, "print the standings after every `N` games (0: only at the end)")
	f.StringVar(&o.pages.listen, "serve", "", "show the run in a browser until Ctrl-C, at `ADDRESS` or the usual one")
	f.Lookup("serve").NoOptDefVal = defaultListen
	o.pages.flags(cmd)
}

// thisHost describes what match files may refer to.
func thisHost() (config.Host, error) {
	self, err := os.Executable()
	if err != nil {
		return config.Host{}, fmt.Errorf("finding this program: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return config.Host{}, fmt.Errorf("working directory: %w", err)
	}
	return config.Host{Games: all.Games(), Players: all.Player, Self: self, Dir: dir, Cores: allowedCores(), Env: os.LookupEnv}, nil
}

// allowedCores respects CPU affinity and, through Go's default, cgroup quotas.
func allowedCores() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// showProblems prints all errors in a match file with their lines.
func showProblems(cmd *cobra.Command, err error) error {
	var problems config.Errors
	if !errors.As(err, &problems) {
		return err
	}
	fmt.Fprint(cmd.ErrOrStderr(), report.Lines(problems.Show()))
	return &exitError{code: exitBadInput}
}
