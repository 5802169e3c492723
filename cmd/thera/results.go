package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
)

// resultsCommand prints the tables of a run.
func resultsCommand() *cobra.Command {
	var o resultsOptions
	cmd := &cobra.Command{
		Use:   "results [RUN]",
		Short: "Show a run's tables: which engine is stronger, by how much, and how sure that is",
		Long: "Shows the ranking, pairings, roles, match-ups, ends and warnings of a run, by default the latest.\n" +
			"The figures use the games that count: those up to the run's stop, and a repeated opening once.",
		Example: "  thera results\n  thera results quickstart.yaml --format markdown\n  thera results --table pairings --format csv\n" +
			"  thera results gods.yaml --baseline gods-may --svg gods.svg\n  thera results --json",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				o.width = columns(cmd)
				return o.show(ctx, cmd.OutOrStdout(), db, args)
			})
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&o.form, "format", string(report.Terminal), fmt.Sprintf("one of %v (csv: one table, the ranking unless --table)", report.Formats()))
	cmd.Flags().StringVar(&o.table, "table", "", "only this `TABLE`, complete: "+strings.Join(report.TableNames(), ", "))
	cmd.Flags().StringVar(&o.baseline, "baseline", "", "also show changes since this earlier `RUN`, with significance")
	cmd.Flags().StringVar(&o.svg, "svg", "", "write a plot to `FILE`: the heat map of the roles if there are any, else the ratings")
	cmd.Flags().StringVar(&o.plot, "plot", "", "with --svg, this `PLOT`: "+strings.Join(plot.Names(), ", ")+", a role, or two roles as A,B")
	return cmd
}

type resultsOptions struct {
	db, form, table string
	baseline        string
	svg, plot       string
	json            bool
	width           int // of a line for people
}

func (o *resultsOptions) show(ctx context.Context, out io.Writer, db *store.Store, args []string) error {
	form, err := formatOf(o.form)
	if err != nil {
		return err
	}
	run, err := runNamed(ctx, db, args)
	if err != nil {
		return err
	}
	sum, err := summaryOf(ctx, db, run)
	if err != nil {
		return err
	}
	if err := o.add(ctx, db, sum); err != nil {
		return err
	}
	r := report.New(sum)
	if err := addDifference(ctx, db, r, sum); err != nil {
		return err
	}
	if err := o.draw(sum); err != nil {
		return err
	}
	switch {
	case o.json:
		return r.WriteJSON(out)
	case o.table != "":
		t, err := r.Table(o.table)
		if err != nil {
			return err
		}
		return t.Fit(o.width).Write(out, form)
	}
	r.Width = o.width
	return r.Write(out, form)
}

// mostOpenings bounds the table of openings.
const mostOpenings = 10_000

// add computes what only some tables need.
func (o *resultsOptions) add(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	if o.baseline != "" {
		earlier, err := db.Find(ctx, o.baseline)
		if err != nil {
			return fmt.Errorf("--baseline: %w", err)
		}
		base, err := summaryOf(ctx, db, earlier)
		if err != nil {
			return err
		}
		if err := tournament.Against(sum, base); err != nil {
			return err
		}
	}
	if o.table == report.ChangeTable && o.baseline == "" {
		return fmt.Errorf("--table %s: needs --baseline RUN", o.table)
	}
	if o.table == report.OpeningTable {
		rows, err := db.Openings(ctx, sum.Run.ID, mostOpenings)
		if err != nil {
			return err
		}
		sum.Openings = tournament.Openings(rows)
	}
	if o.table == report.WorkerTable {
		return addWorkers(ctx, db, sum)
	}
	return nil
}

// draw writes the plot that --svg asks for.
func (o *resultsOptions) draw(sum *arena.Summary) error {
	switch {
	case o.svg == "" && o.plot != "":
		return fmt.Errorf("--plot %s: needs --svg FILE", o.plot)
	case o.svg == "":
		return nil
	}
	text, err := plot.Draw(sum, cmp.Or(o.plot, plot.Usual(sum)))
	if err != nil {
		return err
	}
	return writeWhole(o.svg, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// formatWords are the formats of tables.
func formatWords() (words []string) {
	for _, f := range report.Formats() {
		words = append(words, string(f))
	}
	return words
}

func formatOf(word string) (report.Format, error) {
	for _, f := range report.Formats() {
		if word == string(f) || word == "md" && f == report.Markdown {
			return f, nil
		}
	}
	return "", arena.Unknown("format", word, formatWords())
}

// proseOf is formatOf for answers that are no single table.
func proseOf(word string) (report.Format, error) {
	form, err := formatOf(word)
	if form == report.CSV {
		err = errors.New("--format csv: expected text, markdown or --json")
	}
	return form, err
}
