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
	}
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().Bool(wideFlag, false, "lines as long as they need, and all columns; otherwise text fits the terminal, or 80 columns elsewhere")
	showHelp(root)
	root.AddCommand(commands(machine)...)
	complete(root)
	return root
}
