package main

import (
	"github.com/spf13/cobra"

	"thera/arena/config"
	"thera/engine/all"
)

// schemaCommand prints the JSON schema of match files.
func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of match files (kept as configs/schema.json)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := config.Schema(all.Games())
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}
