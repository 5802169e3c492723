package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/tournament"
)

// resultsCommand prints the tables of a run, or compares two of its engines.
func resultsCommand() *cobra.Command {
	var o resultsOptions
	cmd := &cobra.Command{
		Use:   "results [RUN] [A B]",
		Short: "Show a run's tables, or whether engine B is better than A",
		Args:  cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			var engines []string
			if at := len(args) - 2; at >= 0 {
				args, engines = args[:at], args[at:]
			}
			return withRun(cmd, o.db, args, func(ctx context.Context, db *store.Store, run arena.RunInfo) error {
				sum, err := countedOf(ctx, db, run, nil)
				switch {
				case err != nil:
					return err
				case engines != nil:
					return o.compare(cmd.OutOrStdout(), sum, engines, columns(cmd))
				}
				return o.show(ctx, cmd.OutOrStdout(), db, sum, columns(cmd))
			})
		},
	}
	dbFlag(cmd, &o.db)
	o.answer.flags(cmd, tableForms, "the heat map of the roles if there are any, else the ratings")
	cmd.Flags().Lookup("format").Usage += " (csv: one table, the ranking unless --table)"
	cmd.Flags().StringVar(&o.table, "table", "",
		"only this `TABLE`, complete: "+strings.Join(report.TableNames(), ", "))
	cmd.Flags().StringVar(&o.plot, "plot", "", "with --svg, this `PLOT`: "+strings.Join(plot.Names(), ", "))
	return cmd
}

type resultsOptions struct {
	db, table, plot string
	answer          answerFlags
}

func (o *resultsOptions) show(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary, width int) error {
	if o.plot != "" && o.answer.svg == "" {
		return fmt.Errorf("--plot %s: needs --svg FILE", o.plot)
	}
	var err error
	switch o.table { // what only some tables need
	case report.WorkerTable:
		err = addWorkers(ctx, db, sum)
	case report.LeagueTable:
		err = addSlowest(ctx, db, sum)
	}
	if err != nil {
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
	r.Width = width
	if o.table == "" || o.answer.json {
		return o.answer.print(out, r)
	}
	t, err := r.Table(o.table)
	if err != nil {
		return err
	}
	return o.answer.print(out, t.Fit(width))
}

// compare says in one sentence whether the second engine is better than the first.
func (o *resultsOptions) compare(out io.Writer, sum *arena.Summary, engines []string, width int) error {
	c, err := report.Compare(sum, engines[0], engines[1])
	if err != nil {
		return err
	}
	if o.answer.json {
		return report.NewJSON(out).Encode(c)
	}
	_, err = fmt.Fprintln(out, report.Wrap(c.Sentence, width, 2))
	return err
}

// addSlowest adds the longest move of each engine.
func addSlowest(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	slowest := map[string]time.Duration{}
	for g, err := range db.Games(ctx, sum.Run.ID, false) {
		if err != nil {
			return err
		}
		for i := range g.Plies {
			name := g.Engine(g.Plies[i].Seat)
			slowest[name] = max(slowest[name], g.Plies[i].Wall)
		}
	}
	for i := range sum.Engines {
		if wall, moved := slowest[sum.Engines[i].Name]; moved {
			ms := wall.Seconds() * 1000
			sum.Engines[i].SlowestMs = &ms
		}
	}
	return nil
}

// mostDifferences bounds the games that are searched for the smallest difference.
const mostDifferences = 200

// addDifference adds the smallest difference between the engines' rules, among the
// first ones that the run found.
func addDifference(ctx context.Context, db *store.Store, r *report.Report, sum *arena.Summary) error {
	if sum.Unrated == 0 {
		return nil
	}
	var ids []string
	err := db.Load(ctx, sum.Run.ID, func(_ arena.RunInfo, games iter.Seq[*arena.Game]) error {
		for g := range games {
			if g.Source == arena.Unrated && len(ids) < mostDifferences {
				ids = append(ids, g.ID)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrDamaged) { // damaged games are named elsewhere
		return err
	}
	for _, id := range ids {
		rec, _, err := db.Game(ctx, id)
		if err == nil {
			r.AddDifference(rec)
		} else if !errors.Is(err, store.ErrDamaged) {
			return err
		}
	}
	return nil
}

// addWorkers adds to a summary what is stored about the run's workers.
func addWorkers(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	incidents, err := db.Incidents(ctx, sum.Run.ID)
	if err != nil {
		return err
	}
	return db.Load(ctx, sum.Run.ID, func(_ arena.RunInfo, games iter.Seq[*arena.Game]) error {
		sum.Workers = tournament.Workers(games, incidents)
		return nil
	})
}
