// Command thera referees games between board-game engines. Each file has one
// command. A command is thin: it reads its arguments, calls packages of arena
// or engine, and prints.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/santorini/player/net"
)

// mainExit executes one command line and returns its exit status.
func mainExit(args []string, in io.Reader, out, errOut io.Writer) int {
	return execute(newRoot(nil), args, in, out, errOut)
}

func execute(root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	refuse(root)
	root.SetArgs(joined(args))
	root.SetIn(in)
	printed := &output{Writer: out}
	root.SetOut(printed)
	root.SetErr(errOut)
	err := cmp.Or(root.ExecuteContext(ctx), printed.err)
	if err == nil {
		return exitDone
	}
	if status, ok := errors.AsType[*exitError](err); ok {
		if status.err != nil {
			complain(errOut, status.err)
		}
		return status.code
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	complain(errOut, err)
	if refused, ok := errors.AsType[*match.Refusal](err); ok && refused.Instead != "" {
		again := shellquote.Join(instead(args, refused.Instead)...)
		tell(errOut, "thera: with a limit that it takes: thera %s", again)
	}
	found := []error{store.ErrGone, store.ErrFull, store.ErrFails, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO}
	if errors.As(err, new(*store.Damage)) || slices.ContainsFunc(found, func(kind error) bool { return errors.Is(err, kind) }) {
		return exitFindings
	}
	return exitBadInput
}

// instead is a command line with another limit, which is the key and value of one.
func instead(args []string, limit string) []string {
	at := slices.IndexFunc(args, func(word string) bool { return word == "--limit" || strings.HasPrefix(word, "--limit=") })
	value, ofAll := strings.CutPrefix(limit, "limit.")
	if at < 0 || !ofAll {
		return slices.Concat(args, []string{"--set", limit})
	}
	rest := args[at+1:]
	if args[at] == "--limit" {
		rest = rest[1:]
	}
	return slices.Concat(args[:at], []string{"--limit", value}, rest)
}

// The exit statuses of thera.
const (
	exitDone        = 0
	exitFindings    = 1 // a failed check, an illegal move, damaged games, a full disk, an engine that never moved, openings used up
	exitBadInput    = 2
	exitNotMet      = 3 // --require
	exitInterrupted = 130
)

// exitError ends the program with a status. It prints err unless err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d: %v", e.code, e.err) }

// newRoot is thera. machine says what the processors did while games are played;
// nil: this machine.
func newRoot(machine player.Machine) *cobra.Command {
	root := &cobra.Command{
		Use:           "thera",
		Short:         "An arena for board-game engines",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	root.SetVersionTemplate("thera {{.Version}}\n")
	root.PersistentFlags().Bool(wideFlag, false, "all columns, in lines as long as they need")
	root.AddCommand(
		benchCommand(),
		bisectCommand(),
		centralCommand(),
		checkCommand(machine),
		eloCommand(),
		engineCommand(),
		exportCommand(machine),
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
		versionCommand(),
		vsCommand(machine),
		workerCommand(),
	)
	explain(root)
	complete(root)
	return root
}

// refuse makes commands say what is wrong with their arguments and flags.
func refuse(root *cobra.Command) {
	root.SetFlagErrorFunc(wrongFlag)
	for _, cmd := range root.Commands() {
		if check := cmd.Args; check != nil {
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if err := check(cmd, args); err != nil {
					return fmt.Errorf("%w: %s", err, cmd.UseLine())
				}
				return nil
			}
		}
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error {
				_, _, err := root.Find(args)
				return err
			}
		case "completion": // without RunE it ignores its arguments
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// wrongFlag adds to the error of a flag that there is not which one may be meant.
func wrongFlag(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); len(short) > 1 {
		name, _, _ = strings.Cut(short, "=")
		err = fmt.Errorf("%w: flags have two dashes", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := game.Nearest(name, names); near != "" {
		return fmt.Errorf("%w (did you mean --%s? see %s --help)", err, near, cmd.CommandPath())
	}
	return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
}

// release is the version of the sources.
const release = "0.1.0"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "thera %s\n", version())
			return err
		},
	}
}

// version is the release with the commit it was built from, where the go command
// recorded one, and the code that evaluates.
func version() string {
	commit := "unknown commit"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("%s (%s, %s %s/%s, %s evaluation)",
		release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, net.Kernel())
}
