package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"thera/arena/config"
	"thera/arena/files"
	"thera/cmd/thera/starters"
	"thera/engine/all"
)

// schemaFile is the name of the schema next to a match file that init wrote.
const schemaFile = "thera-schema.json"

// initCommand writes files that users start from.
func initCommand() *cobra.Command {
	var sets []string
	var file, language, name string
	var schema bool
	cmd := &cobra.Command{
		Use:   "init ['COMMAND' 'COMMAND'…] | --engine LANGUAGE",
		Short: "Write a match file, or a small engine, to start from",
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if language != "" && !schema {
				if len(args) > 0 {
					return fmt.Errorf("--engine %s writes an engine: expected no command %q", language, args[0])
				}
				var err error
				cmd.Flags().Visit(func(f *pflag.Flag) {
					if !slices.Contains([]string{"engine", "game", "output", wideFlag}, f.Name) {
						err = fmt.Errorf("--%s does not belong to --engine, which writes an engine", f.Name)
					}
				})
				if err != nil {
					return err
				}
				return writeEngine(out, cmd.Flags().Lookup("game").Value.String(), language, file)
			}
			keys, err := config.Schema(all.Games())
			if err != nil {
				return err
			}
			if schema {
				_, err = out.Write(keys)
				return err
			}
			if len(args) == 0 {
				args = []string{"a=builtin", "b=builtin"}
			}
			host, err := thisHost()
			if err != nil {
				return err
			}
			file := cmp.Or(file, "match.yaml")
			q := quick(cmd, name, args...)
			q.About = "" // the run is named after its file
			_, text, err := q.Plan(file, sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			if err := writeNew(file, config.File(text, file, schemaFile), 0o644); err != nil {
				return err
			}
			wrote := file
			beside := filepath.Join(filepath.Dir(file), schemaFile)
			switch err := files.Create(beside, keys, 0o644); {
			case err == nil:
				wrote += ", and " + beside + " for editors"
			case !errors.Is(err, fs.ErrExist):
				return err
			}
			fmt.Fprintf(out, "wrote %s\nplay:   thera run %s\n", wrote, shellquote.Join(file))
			return nil
		},
	}
	quickFlags(cmd, &sets, &name)
	cmd.Flags().StringVarP(&file, "output", "o", "",
		"the `FILE` to write (default: match.yaml, or the name of the game)")
	cmd.Flags().StringVar(&language, "engine", "", "write an engine in this `LANGUAGE`: python; for santorini also c")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON schema of match files (kept as configs/schema.json)")
	return cmd
}

// writeEngine writes a small engine for a game.
func writeEngine(out io.Writer, gameName, language, file string) error {
	g, err := findGame(gameName)
	if err != nil {
		return err
	}
	text, name, err := starters.Source(g.Name(), language)
	if err != nil {
		return err
	}
	file = cmp.Or(file, name)
	if err := writeNew(file, text, 0o755); err != nil {
		return err
	}
	fmt.Fprintf(out, "wrote %s\n", file)
	program := file
	if language == "c" {
		program = strings.TrimSuffix(file, ".c")
		fmt.Fprintf(out, "build:  cc -O2 -o %s\n", shellquote.Join(program, file))
	}
	if !filepath.IsAbs(program) {
		program = "./" + filepath.Clean(program)
	}
	command := shellquote.Join(program)
	fmt.Fprintf(out, "check:  thera check --game %s -- %s\nplay:   thera vs builtin %[2]s --game %[1]s\n",
		g.Name(), command)
	return nil
}

// writeNew writes a file that must not exist yet.
func writeNew(file string, text []byte, mode os.FileMode) error {
	err := files.Create(file, text, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; give another name with -o", file)
	}
	return err
}
