// Command thera referees games between board-game engines. Each file has one
// command. A command is thin: it reads its arguments, calls packages of arena
// or engine, and prints.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/conn"
	"thera/arena/sandbox"
	"thera/arena/store"
)

func main() {
	sandbox.Main()
	os.Exit(mainExit(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// mainExit executes one command line and returns its exit status.
func mainExit(args []string, in io.Reader, out, errOut io.Writer) int {
	return execute(newRoot(nil), args, in, out, errOut)
}

func execute(root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	var status *exitError
	if errors.As(err, &status) {
		if status.err != nil {
			complain(errOut, status.err)
		}
		return status.code
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	complain(errOut, err)
	if errors.As(err, new(*store.Damage)) || errors.Is(err, store.ErrGone) {
		return exitFindings
	}
	return exitBadInput
}

// The exit statuses of thera.
const (
	exitDone        = 0
	exitFindings    = 1 // a failed check, an illegal move, damaged games, an engine that never moved, openings used up
	exitBadInput    = 2
	exitNotMet      = 3 // --require
	exitInterrupted = 130
)

// exitError ends the program with a status. It prints err unless err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err != nil {
		return e.err.Error()
	}
	return fmt.Sprintf("exit status %d", e.code)
}

func (e *exitError) Unwrap() error { return e.err }

// flagError adds the flag that may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	word, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var known []string
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(cmd.Flags().FlagUsages(), -1) {
		known = append(known, strings.TrimPrefix(flag, "--"))
	}
	if near := arena.Nearest(word, known); near != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, near)
	}
	return fmt.Errorf("%w (thera %s --help lists all)", err, cmd.Name())
}

// others are words for what a command does that has another name.
var others = map[string]string{
	"compare": "thera results A B", "datagen": "thera engine santorini datagen", "new": "thera init --engine LANGUAGE",
	"report": "thera export --format html", "rm": "thera runs --delete", "schema": "thera init --schema",
	"tables": "thera engine mill tables", "version": "thera --version",
}

// noCommand shows the help, or names the command that may have been meant.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	near := cmd.SuggestionsFor(args[0])
	if does := others[args[0]]; does != "" {
		near = []string{does}
	}
	if len(near) > 0 {
		return fmt.Errorf("unknown command %q (did you mean %s?)", args[0], strings.Join(near, ", "))
	}
	return fmt.Errorf("unknown command %q (thera --help lists all)", args[0])
}

// newRoot is thera. machine says what the processors did while games are played;
// nil: this machine.
func newRoot(machine conn.Machine) *cobra.Command {
	root := &cobra.Command{
		Use:           "thera",
		Short:         "An arena for board-game engines",
		Long:          "Thera plays tournaments between board-game engines, checks every move by its own rules,\nand tells which engine is stronger, by how much, and how sure that is.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args:          cobra.ArbitraryArgs,

		SuggestionsMinimumDistance: 2,
		RunE:                       noCommand,
	}
	root.SetVersionTemplate("thera {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().Bool(wideFlag, false, "lines as long as they need, and all columns; otherwise text fits the terminal, or 80 columns elsewhere")
	showHelp(root)
	root.AddCommand(commands(machine)...)
	complete(root)
	return root
}

// release is the version of the sources.
const release = "0.1.0"

// version is the release with the commit it was built from, where the go
// command recorded one.
func version() string {
	commit := "unknown commit"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = s.Value[:12]
			}
		}
	}
	return fmt.Sprintf("%s (%s, %s %s/%s)", release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
