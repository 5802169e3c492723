package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/conn"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/all"
)

// defaultDB is the database of runs: THERA_DB, or a file below the working directory.
func defaultDB() string { return cmp.Or(os.Getenv("THERA_DB"), filepath.Join("results", "thera.db")) }

// dbArgs are the words of a command that lead it to a database, none to the default.
func dbArgs(path string) []string {
	if path == defaultDB() {
		return nil
	}
	return []string{"--db", path}
}

// dbWords are dbArgs as a shell reads them.
func dbWords(path string) string { return strings.Join(quoteAll(dbArgs(path)), " ") }

// runCommand plays or resumes the tournament of a match file.
func runCommand(machine conn.Machine) *cobra.Command {
	o := playOptions{machine: machine}
	var limit, concurrency string
	var rounds int
	cmd := &cobra.Command{
		Use:     "run FILE",
		Short:   "Play or resume the tournament of a match file",
		Example: "  thera run configs/quickstart.yaml\n  thera run configs/sprt.yaml --limit 50ms --concurrency auto --require h1",
		Args: func(cmd *cobra.Command, args []string) error {
			return cobra.ExactArgs(1)(cmd, o.pages.take(cmd, args))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args = o.pages.take(cmd, args)
			host, err := thisHost()
			if err != nil {
				return err
			}
			if limit != "" {
				set, err := config.LimitSet(limit)
				if err != nil {
					return err
				}
				o.sets = append(o.sets, set)
			}
			if cmd.Flags().Changed("rounds") {
				o.sets = append(o.sets, fmt.Sprintf("tournament.rounds=%d", rounds))
			}
			o.remote.given = cmd.Flags().Changed("slots")
			if concurrency != "" {
				o.sets = append(o.sets, "concurrency="+concurrency)
			}
			plan, err := config.Load(args[0], o.sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			o.again = "thera " + strings.Join(quoteAll(append([]string{"run", args[0]}, o.words()...)), " ")
			return play(cmd, plan, host.Cores, &o)
		},
	}
	o.flags(cmd)
	o.remote.flags(cmd)
	cmd.Flags().StringVar(&limit, "limit", "", "what a side may use, as in thera vs; overrides limit: of the file")
	cmd.Flags().IntVar(&rounds, "rounds", 0, "pairs of games for each pairing; overrides tournament.rounds")
	cmd.Flags().StringVar(&concurrency, "concurrency", "", "games at a time, or auto; overrides concurrency:")
	cmd.Flags().StringArrayVar(&o.sets, "set", nil, "override `key.path=value` of the file, as limit.nodes=1000 or engines.thera.options.hash=64 (repeatable)")
	return cmd
}

// playOptions are the flags that run and vs have in common.
type playOptions struct {
	db      string
	fresh   bool
	sets    []string
	require []string
	sandbox string
	events  string
	log     string
	verbose bool
	every   int
	pages   serveOptions // where the run is shown; an empty address: nowhere
	remote  remoteOptions
	again   string // the command that resumes
	machine conn.Machine

	// show shows the result; nil for the tables.
	show func(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary) error
}

func (o *playOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	dbFlag(cmd, &o.db)
	f.BoolVar(&o.fresh, "fresh", false, "start a new run; an earlier run of this name is renamed, not deleted")
	f.StringArrayVar(&o.require, "require", nil, "exit with 3 unless h1, not-h0 or a `bound` such as 'elo_lo > -5' holds at the end, and unless each engine fails in at most 1 % of its games or as 'faults < 1' says (repeatable)")
	f.StringVar(&o.sandbox, "sandbox", "", "auto, require or off, for all engines (default: as each engine's key says)")
	f.StringVar(&o.events, "events", "", "write events to `FILE`, one JSON object a line (-: stdout, without the tables)")
	f.StringVar(&o.log, "log", "", "write every line to and from the engines to `FILE`")
	f.IntVar(&o.every, "every", 0, "print the standings after every `N` games (0: only at the end)")
	f.StringVar(&o.pages.listen, "serve", "", "show the run in a browser while it is played, at =`ADDRESS` or else "+defaultListen)
	f.Lookup("serve").NoOptDefVal = defaultListen
	o.pages.flags(cmd)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "write the engines' lines to stderr")
}

// words returns the flags that a resumed run needs again.
func (o *playOptions) words() []string {
	words := dbArgs(o.db)
	if o.sandbox != "" {
		words = append(words, "--sandbox", o.sandbox)
	}
	words = append(words, o.remote.words()...)
	for _, set := range o.sets {
		words = append(words, "--set", set)
	}
	for _, r := range o.require {
		words = append(words, "--require", r)
	}
	return words
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
	return config.Host{Games: all.Games(), Self: self, Dir: dir, Cores: allowedCores(), Env: os.LookupEnv}, nil
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

// demand checks the requirements after a run.
func demand(requirements []tournament.Requirement, sum *arena.Summary, say func(string)) error {
	failed := false
	for i := range requirements {
		met, detail := requirements[i].Met(sum)
		switch {
		case !met:
			failed = true
			say("requirement not met: " + detail)
		case !requirements[i].Implied():
			say("requirement met: " + detail)
		}
	}
	if failed {
		return &exitError{code: exitNotMet}
	}
	return nil
}

// quoteAll quotes arguments for a shell.
func quoteAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$&|;<>()*?[]{}#~`!") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return out
}

// interrupted reports whether err is due to the end of ctx.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}
