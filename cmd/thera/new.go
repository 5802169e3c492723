package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"thera/cmd/thera/starters"
)

// newCommand writes files that users start from.
func newCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "new", Short: "Write a small engine as a start for your own"}
	cmd.AddCommand(newEngineCommand())
	return cmd
}

// newEngineCommand writes a small engine into the working directory.
func newEngineCommand() *cobra.Command {
	var language, file string
	cmd := &cobra.Command{
		Use:   "engine GAME",
		Short: "Write a small, complete engine into the working directory: one source file",
		Long: "The engine plays by the game's protocol and looks one move ahead. There is one in Python for each game,\n" +
			"and in Go and C for Santorini. The file says how to build, check and play it.",
		Example: "  thera new engine santorini\n" +
			"  thera new engine santorini --lang c -o mine.c",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := findGame(args[0])
			if err != nil {
				return err
			}
			text, name, err := starters.Source(g.Name(), language)
			if err != nil {
				return err
			}
			if file == "" {
				file = name
			}
			if err := writeNew(file, text, 0o755); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", file)
			command := "./" + file
			switch language {
			case "go":
				command = "./" + g.Name()
				fmt.Fprintf(cmd.OutOrStdout(), "build:  go build -o %s %s\n", g.Name(), file)
			case "c":
				command = "./" + g.Name()
				fmt.Fprintf(cmd.OutOrStdout(), "build:  cc -O2 -o %s %s\n", g.Name(), file)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "check:  thera check --game %s -- %s\nplay:   thera vs builtin %[2]s --game %[1]s\n", g.Name(), command)
			return nil
		},
	}
	cmd.Flags().StringVar(&language, "lang", "python", "python; for santorini also go or c")
	cmd.Flags().StringVarP(&file, "output", "o", "", "the file to write (default: the game's name)")
	return cmd
}

// writeNew writes a file that must not exist yet.
func writeNew(file string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; give another name with -o", file)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}
