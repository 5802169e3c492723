package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// rmCommand deletes runs with their games, or sets a worker's games aside.
func rmCommand() *cobra.Command {
	var o rmOptions
	cmd := &cobra.Command{
		Use:   "rm RUN… | --worker NAME --reason TEXT [RUN…]",
		Short: "Delete runs and all their games, or set the games of a worker aside",
		Long: "Deletes runs, by name or as #number, and all their games. If one of them does not exist, nothing is deleted.\n" +
			"The database file shrinks if a quarter of it is empty.\n\n" +
			"With --worker nothing is deleted: the games that a worker on another machine played in these runs, by default\n" +
			"in the latest, are set aside. They are in no table and no test any more, and the run plays them again when it is\n" +
			"resumed. The reason is in the run's log; thera games --all shows them.",
		Example: "  thera rm quickstart.yaml '#3'\n  thera rm --worker lab1 --reason 'its engine was another build' sprt.yaml",
		Args: func(cmd *cobra.Command, args []string) error {
			if o.worker == "" && !cmd.Flags().Changed("worker") {
				return cobra.MinimumNArgs(1)(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd.Flags().Changed("worker")); err != nil {
				return err
			}
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				runs, release, err := o.hold(ctx, db, args)
				defer release()
				if err != nil {
					return err
				}
				if o.worker != "" {
					return o.setAside(ctx, cmd.ErrOrStderr(), db, runs)
				}
				return o.remove(ctx, cmd.ErrOrStderr(), db, runs)
			})
		},
	}
	dbFlag(cmd, &o.db)
	f := cmd.Flags()
	f.BoolVar(&o.force, "force", false, "also delete a run that is being played")
	f.StringVar(&o.worker, "worker", "", "delete nothing, and set aside the games of the worker with this `NAME`")
	f.StringVar(&o.reason, "reason", "", "with --worker: why, as one line of `TEXT`")
	return cmd
}

type rmOptions struct {
	db, worker, reason string
	force              bool
}

const mostReason = 500 // bytes

func (o *rmOptions) check(aside bool) error {
	switch {
	case !aside && o.reason != "":
		return errors.New("--reason: is for --worker")
	case !aside:
		return nil
	case o.worker == "":
		return errors.New("--worker: expected the name of a worker")
	case strings.TrimSpace(o.reason) == "":
		return errors.New("--worker: needs --reason TEXT, which is kept with the run")
	case len(o.reason) > mostReason || report.Printable(o.reason) != o.reason:
		return fmt.Errorf("--reason: expected one line of at most %d bytes", mostReason)
	case o.force:
		return errors.New("--force is for deleting: games of a run that is being played cannot be set aside")
	}
	return nil
}

// hold finds the runs and keeps others from playing them until release.
func (o *rmOptions) hold(ctx context.Context, db *store.Store, args []string) (runs []arena.RunInfo, release func(), err error) {
	var held []func() error
	release = func() {
		for _, end := range held {
			_ = end() // the process ends anyway
		}
	}
	if len(args) == 0 {
		latest, err := db.Find(ctx, "")
		if err != nil {
			return nil, release, err
		}
		args = []string{latest.Name}
	}
	for _, word := range args {
		if word == "" {
			return nil, release, errors.New("a run without a name")
		}
		run, err := db.Find(ctx, word)
		if err != nil {
			return nil, release, err
		}
		if !o.force {
			end, err := db.Hold(run.Name)
			switch {
			case err != nil && o.worker != "":
				return nil, release, fmt.Errorf("nothing is set aside: %w", err)
			case err != nil:
				return nil, release, fmt.Errorf("nothing is deleted (--force does): %w", err)
			}
			held = append(held, end)
		}
		runs = append(runs, run)
	}
	return runs, release, nil
}

func (o *rmOptions) remove(ctx context.Context, errOut io.Writer, db *store.Store, runs []arena.RunInfo) error {
	for _, run := range runs {
		if err := db.Remove(ctx, run.ID); err != nil {
			return err
		}
		tell(errOut, "deleted %s with %d games", run.Name, run.Games)
	}
	freed, err := db.Shrink(ctx)
	switch {
	case err != nil: // the runs are deleted all the same
		tell(errOut, "%s keeps its size: %v", db.Path(), err)
	case freed > 0:
		tell(errOut, "%s is %.1f MB smaller", db.Path(), float64(freed)/1e6)
	}
	return nil
}

// setAside sets the worker's games aside, run by run.
func (o *rmOptions) setAside(ctx context.Context, errOut io.Writer, db *store.Store, runs []arena.RunInfo) error {
	for _, run := range runs {
		switch {
		case run.Plan.Trial:
			return fmt.Errorf("%s: nothing is set aside: it is a step of a tuning, and the values of all later steps follow from its games; delete the tuning's runs and tune again", run.Name)
		case run.Plan.Format.Name == "imported":
			return fmt.Errorf("%s: nothing is set aside: it was imported from a game's own format, and cannot be played again", run.Name)
		}
	}
	for _, run := range runs {
		n, err := db.SetWorkerAside(ctx, run.ID, o.worker, nil, o.reason)
		if err != nil {
			return err
		}
		tell(errOut, "%s: %s of worker %s are set aside; the run plays them again when it is resumed", run.Name, arena.Plural(n, "game"), o.worker)
	}
	return nil
}
