package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
)

// resultsCommand prints the tables of a run, or compares two of its engines.
func resultsCommand() *cobra.Command {
	var o resultsOptions
	cmd := &cobra.Command{
		Use:   "results [RUN] [A B]",
		Short: "Show a run's tables, or whether engine B is better than A",
		Args:  cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				o.width = columns(cmd)
				if len(args) > 1 {
					return o.compare(ctx, cmd.OutOrStdout(), db, args)
				}
				return o.show(ctx, cmd.OutOrStdout(), db, args)
			})
		},
	}
	dbFlag(cmd, &o.db)
	o.answer.flags(cmd, report.Formats(), "the heat map of the roles if there are any, else the ratings")
	cmd.Flags().Lookup("format").Usage += " (csv: one table, the ranking unless --table)"
	cmd.Flags().StringVar(&o.table, "table", "",
		"only this `TABLE`, complete: "+strings.Join(report.TableNames(), ", "))
	cmd.Flags().StringVar(&o.plot, "plot", "", "with --svg, this `PLOT`: "+strings.Join(plot.Names(), ", "))
	return cmd
}

type resultsOptions struct {
	db, table, plot string
	answer          answerFlags
	width           int // of a line for people
}

func (o *resultsOptions) show(ctx context.Context, out io.Writer, db *store.Store, args []string) error {
	form, err := o.answer.format(report.Formats())
	if err != nil {
		return err
	}
	if o.plot != "" && o.answer.svg == "" {
		return fmt.Errorf("--plot %s: needs --svg FILE", o.plot)
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
	draw := func() (string, error) { return plot.Draw(sum, cmp.Or(o.plot, plot.Usual(sum))) }
	if err := o.answer.draw(draw); err != nil {
		return err
	}
	r.Width = o.width
	if o.table == "" || o.answer.json {
		return o.answer.print(out, r, form)
	}
	t, err := r.Table(o.table)
	if err != nil {
		return err
	}
	return t.Fit(o.width).Write(out, form)
}

// compare says in one sentence whether the second engine is better than the first.
func (o *resultsOptions) compare(ctx context.Context, out io.Writer, db *store.Store, args []string) error {
	named, engines := args[:len(args)-2], args[len(args)-2:]
	run, err := runNamed(ctx, db, named)
	if err != nil {
		return err
	}
	sum, err := summaryOf(ctx, db, run)
	if err != nil {
		return err
	}
	c, err := report.Compare(sum, engines[0], engines[1])
	if err != nil {
		return err
	}
	if o.answer.json {
		return report.NewJSON(out).Encode(c)
	}
	_, err = fmt.Fprintln(out, report.Wrap(c.Sentence, o.width, 2))
	return err
}

// add computes what only some tables need.
func (o *resultsOptions) add(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	if o.table == report.OpeningTable {
		return addOpenings(ctx, db, sum)
	}
	if o.table == report.WorkerTable {
		return addWorkers(ctx, db, sum)
	}
	return nil
}
