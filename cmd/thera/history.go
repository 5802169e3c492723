package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/versions/source"
)

// historyCommand rates all versions of a database.
func historyCommand() *cobra.Command {
	var o historyOptions
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Rate every version that ever played, joined over all runs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.width = columns(cmd); o.group < 1 {
				return fmt.Errorf("--group %d: expected the number of a table, from 1", o.group)
			}
			return withStore(cmd, o.db, func(ctx context.Context, db *store.Store) error {
				return o.show(ctx, cmd.OutOrStdout(), db)
			})
		},
	}
	dbFlag(cmd, &o.db)
	anchorFlag(cmd, &o.anchors, "version")
	o.answer.flags(cmd, tableForms, "the ratings")
	cmd.Flags().Lookup("format").Usage += " (csv: the first table)"
	cmd.Flags().IntVar(&o.group, "group", 1, "with --svg, the `NUMBER` of the table, from 1")
	return cmd
}

type historyOptions struct {
	db      string
	anchors []string
	answer  answerFlags
	group   int
	width   int
}

func (o *historyOptions) show(ctx context.Context, out io.Writer, db *store.Store) error {
	h, err := o.load(ctx, db)
	if err != nil {
		return err
	}
	if err := o.answer.draw(func() (string, error) {
		if o.group > len(h.Groups) {
			return "", fmt.Errorf("--group %d: there are %d tables", o.group, len(h.Groups))
		}
		return plot.History(&h.Groups[o.group-1])
	}); err != nil {
		return err
	}
	h.Width = o.width
	return o.answer.print(out, h)
}

// load joins the runs of the database, the oldest first.
func (o *historyOptions) load(ctx context.Context, db *store.Store) (*report.History, error) {
	anchors, err := readAnchors(o.anchors)
	if err != nil {
		return nil, err
	}
	runs, err := db.Runs(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(runs, func(a, b arena.RunInfo) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	all := report.NewVersions()
	for i := range runs {
		g, err := gameOfRun(&runs[i])
		if err != nil {
			return nil, err
		}
		err = db.Load(ctx, runs[i].ID, func(run arena.RunInfo, games iter.Seq[*arena.Game]) error {
			return all.Add(run.PlanOf(g), run, games)
		})
		if err != nil {
			return nil, err
		}
	}
	h := &report.History{Warnings: []string{}}
	if h.Groups, err = all.Groups(anchors); err != nil {
		return nil, fmt.Errorf("--anchor: %w", err)
	}
	for i := range h.Groups {
		sortByCommit(ctx, &h.Groups[i])
	}
	for _, left := range []struct {
		runs int
		what string
	}{{all.Trials, "steps of tunings"}, {all.Unrated, "unrated: their void pairs decided too much"}} {
		if left.runs > 0 {
			h.Warnings = append(h.Warnings, fmt.Sprintf("%d runs are left out: %s", left.runs, left.what))
		}
	}
	if len(h.Groups) == 0 {
		h.Warnings = append(h.Warnings, "no finished pair of games of two versions yet")
	}
	return h, nil
}

// sortByCommit puts versions into the order of their commits, with their subjects, as far
// as their repository is there. Others come first.
func sortByCommit(ctx context.Context, g *report.Group) {
	hashes := map[string][]string{} // by repository
	for i := range g.Versions {
		if v := &g.Versions[i]; v.Commit != "" && v.Spec.Git != "" && !slices.Contains(hashes[v.Spec.Git], v.Commit) {
			hashes[v.Spec.Git] = append(hashes[v.Spec.Git], v.Commit)
		}
	}
	for dir, list := range hashes {
		repo, err := source.OpenRepo(ctx, dir)
		if err != nil {
			continue // it may be gone, or elsewhere
		}
		commits, err := repo.Sorted(ctx, list)
		if err = errors.Join(err, repo.Close()); err != nil {
			continue
		}
		place := map[string]int{}
		for i, c := range commits {
			place[c.Short()] = i + 1
		}
		for i := range g.Versions {
			if at := place[g.Versions[i].Commit]; at > 0 {
				g.Versions[i].Subject = commits[at-1].Subject
			}
		}
		slices.SortStableFunc(g.Versions, func(a, b report.Version) int { return place[a.Commit] - place[b.Commit] })
	}
}
