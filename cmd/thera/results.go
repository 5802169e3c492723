package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"thera/arena/report"
	"thera/arena/store"
)

// resultsCommand prints the tables of a run.
func resultsCommand() *cobra.Command {
	var o resultsOptions
	cmd := &cobra.Command{
		Use:   "results [RUN]",
		Short: "Show a run's tables: who is stronger, by how much and how sure that is",
		Long: "Shows the ranking, pairings, roles, match-ups, ends and warnings of a run, the latest without RUN.\n" +
			"It reads aggregates that are kept beside the games, so it is quick however many there are.",
		Example: "  thera results\n  thera results quickstart.yaml --format markdown\n  thera results --table pairings --format csv\n  thera results --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				return o.show(ctx, cmd.OutOrStdout(), db, args)
			})
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&o.form, "format", string(report.Terminal), "text, markdown or csv (csv: one table, the ranking unless --table)")
	cmd.Flags().StringVar(&o.table, "table", "", "only this `TABLE`, whole: ranking, cross, pairings, roles, matchups, ends, warnings, los")
	return cmd
}

type resultsOptions struct {
	db, form, table string
	json            bool
}

func (o *resultsOptions) show(ctx context.Context, out io.Writer, db *store.Store, args []string) error {
	form, err := formOf(o.form)
	if err != nil {
		return err
	}
	run, err := runNamed(ctx, db, args)
	if err != nil {
		return err
	}
	sum, err := db.Summary(ctx, run.ID)
	if err != nil {
		return err
	}
	r, err := report.New(sum)
	switch {
	case err != nil:
		return err
	case o.json:
		return r.WriteJSON(out)
	case o.table != "":
		t, err := r.Table(o.table)
		if err != nil {
			return err
		}
		return t.Write(out, form)
	}
	return r.Write(out, form)
}

func formOf(word string) (report.Form, error) {
	for _, f := range report.Forms() {
		if word == string(f) || word == "md" && f == report.Markdown {
			return f, nil
		}
	}
	return "", fmt.Errorf("--format %s: want one of %v", word, report.Forms())
}
