package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"thera/arena/config"
	"thera/engine/all"
)

// schemaFile is the name of the schema next to a match file that init wrote.
const schemaFile = "thera-schema.json"

// initCommand writes a match file.
func initCommand() *cobra.Command {
	var q config.Quick
	var rounds int
	var sets []string
	var file string
	cmd := &cobra.Command{
		Use:   "init ['COMMAND' 'COMMAND'…]",
		Short: "Write a commented match file as a start for your own",
		Long: "Describes the match by the arguments and flags of thera vs; without engines, the built-in engine plays\n" +
			"itself. Each key has a comment. The schema, for editors that complete and check YAML, is written next to\n" +
			"the file as " + schemaFile + ". A file that exists is never overwritten.",
		Example: "  thera init builtin mine=./my-engine --limit 100ms\n" +
			"  thera init new=./engine-new old=./engine-old --format sprt -o sprt.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Commands = args; len(args) == 0 {
				q.Commands = []string{"a=builtin", "b=builtin"}
			}
			if err := quickRounds(cmd, &q, &rounds); err != nil {
				return err
			}
			host, err := thisHost()
			if err != nil {
				return err
			}
			text, err := q.File(file, schemaFile, sets, host)
			if err != nil {
				return showProblems(cmd, err)
			}
			if err := writeNew(file, text, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\nplay:   thera run %s\n", file, quoteAll([]string{file})[0])
			return writeSchema(filepath.Join(filepath.Dir(file), schemaFile))
		},
	}
	quickFlags(cmd, &q, &rounds, &sets)
	cmd.Flags().StringVarP(&file, "output", "o", "match.yaml", "the `FILE` to write")
	return cmd
}

// writeSchema writes the schema of match files unless there is one.
func writeSchema(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := config.Schema(all.Games())
	if err != nil {
		return err
	}
	return writeNew(path, text, 0o644)
}
