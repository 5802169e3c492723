package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// runsCommand lists the stored runs, deletes some, or excludes a worker's games.
func runsCommand() *cobra.Command {
	var o runsOptions
	cmd := &cobra.Command{
		Use:   "runs [--delete RUN… | --worker NAME --reason TEXT [RUN…]]",
		Short: "List the stored runs; delete some, or exclude a worker's games",
		RunE: func(cmd *cobra.Command, args []string) error {
			exclude := cmd.Flags().Changed("worker")
			if err := o.check(exclude, args); err != nil {
				return err
			}
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				if !exclude && !o.delete {
					return o.list(ctx, cmd, db)
				}
				return o.held(ctx, db, args, func(run arena.RunInfo) error {
					if exclude {
						return o.exclude(ctx, cmd.ErrOrStderr(), db, run)
					}
					if err := db.Remove(ctx, run.ID); err != nil {
						return err
					}
					tell(cmd.ErrOrStderr(), "deleted %s with %d games", run.Name, run.Games)
					return nil
				})
			})
		},
	}
	dbFlag(cmd, &o.db)
	jsonFlag(cmd, &o.json, eachObject)
	f := cmd.Flags()
	f.BoolVar(&o.delete, "delete", false, "delete these runs")
	f.StringVar(&o.worker, "worker", "", "exclude the games of the worker with this `NAME`")
	f.StringVar(&o.reason, "reason", "", "with --worker: why, as one line of `TEXT`")
	cmd.MarkFlagsMutuallyExclusive("delete", "worker")
	cmd.MarkFlagsRequiredTogether("worker", "reason")
	return cmd
}

type runsOptions struct {
	db, worker, reason string
	json, delete       bool
}

const mostReason = 500 // bytes

func (o *runsOptions) check(exclude bool, args []string) error {
	switch {
	case o.delete && len(args) == 0:
		return errors.New("--delete: which runs? Give their names")
	case !exclude && !o.delete && len(args) > 0:
		return fmt.Errorf("unexpected %q: thera results shows a run, and --delete deletes it", args[0])
	case exclude && (o.worker == "" || strings.TrimSpace(o.reason) == ""):
		return errors.New("--worker: needs a name and a --reason, which is kept with the run")
	case len(o.reason) > mostReason || report.Printable(o.reason) != o.reason:
		return fmt.Errorf("--reason: expected one line of at most %d bytes", mostReason)
	}
	return nil
}

func (o *runsOptions) list(ctx context.Context, cmd *cobra.Command, db *store.Store) error {
	runs, damaged := db.Runs(ctx)
	if damaged != nil && !errors.Is(damaged, store.ErrDamaged) {
		return damaged
	}
	shown := slices.DeleteFunc(slices.Clone(runs), func(r arena.RunInfo) bool { return r.Plan.Trial })
	table := report.RunTable(shown)
	if steps := len(runs) - len(shown); steps > 0 {
		table.Notes = append(table.Notes, fmt.Sprintf("--json has also %d steps of tunings", steps))
	}
	return printList(cmd, o.json, runs, table, damaged)
}

// held calls do with each of the runs, which nobody else can play meanwhile, if all of them
// are there.
func (o *runsOptions) held(ctx context.Context, db *store.Store, args []string, do func(arena.RunInfo) error) (err error) {
	if len(args) == 0 {
		args = []string{""} // the latest
	}
	var runs []arena.RunInfo
	for _, word := range args {
		run, err := db.Find(ctx, word)
		if err == nil {
			err = changeable(&run, o.delete)
		}
		if err != nil {
			return err
		}
		release, err := db.Hold(run.Name)
		if err != nil {
			return fmt.Errorf("nothing is changed: %w", err)
		}
		defer release() // the process ends anyway
		runs = append(runs, run)
	}
	for _, run := range runs {
		if err := do(run); err != nil {
			return err
		}
	}
	return nil
}

// changeable returns an error if no games of a run can be excluded.
func changeable(run *arena.RunInfo, deleted bool) error {
	switch {
	case deleted:
	case run.Plan.Trial:
		return fmt.Errorf("%s: nothing is excluded: it is a step of a tuning, and the values of all later steps "+
			"follow from its games; delete the tuning's runs and tune again", run.Name)
	case run.Plan.Format.Name == "imported":
		return fmt.Errorf("%s: nothing is excluded: it was imported from a game's own format, and cannot be played again", run.Name)
	}
	return nil
}

// exclude excludes the games of the worker in a run.
func (o *runsOptions) exclude(ctx context.Context, errOut io.Writer, db *store.Store, run arena.RunInfo) error {
	n, err := db.Exclude(ctx, run.ID, o.worker, nil, o.reason)
	if err == nil && n == 0 {
		err = fmt.Errorf("worker %s: no game that counts in run %s (thera results --table workers lists its workers)", o.worker, run.Name)
	}
	if err == nil {
		tell(errOut, "%s: %s of worker %s are excluded; the run plays them again when it is resumed",
			run.Name, arena.Plural(n, "game"), o.worker)
	}
	return err
}
