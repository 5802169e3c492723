package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/engine/mill/tables"
)

// tablesCommand makes endgame tables.
func tablesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tables GAME",
		Short: "Solve endgames and write them as tables",
	}
	cmd.AddCommand(millTablesCommand())
	return cmd
}

func millTablesCommand() *cobra.Command {
	var job millTables
	var men []string
	var grounded bool
	cmd := &cobra.Command{
		Use:   "mill",
		Short: "Solve mill endgames by numbers of men, with none in hand",
		Long: `Solves mill endgames without men in hand and writes one file to a folder for
each pair of numbers of men. A table may need smaller ones: these are read from
the folder or solved first. The engine uses tables with the options
PerfectDatabasePath and UsePerfectDatabase, a match with
rules: {tables: FOLDER} and adjudicate: {tables: true}.`,
		Example: "  thera tables mill --men 3-3,4-3,4-4 --out tables",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, text := range men {
				a, b, err := pairOf(text)
				if err != nil {
					return fmt.Errorf("--men: %w", err)
				}
				job.pairs = append(job.pairs, [2]int{a, b})
			}
			job.tables = tables.New(!grounded)
			job.out = cmd.OutOrStdout()
			return job.run(cmd.Context())
		},
	}
	cmd.Flags().StringSliceVar(&men, "men", []string{"3-3", "4-3", "4-4"}, "numbers of men of the two sides, 3 to 9 each")
	cmd.Flags().StringVar(&job.folder, "out", "tables", "folder to write to")
	cmd.Flags().BoolVar(&job.force, "force", false, "solve existing tables again")
	cmd.Flags().BoolVar(&grounded, "no-flying", false, "solve for the rule flying: false")
	return cmd
}

// pairOf reads "4-3".
func pairOf(text string) (a, b int, err error) {
	left, right, ok := strings.Cut(text, "-")
	a, errA := strconv.Atoi(left)
	b, errB := strconv.Atoi(right)
	if !ok || errA != nil || errB != nil {
		return 0, 0, fmt.Errorf("%q: want two numbers of men such as 4-3", text)
	}
	if _, err := tables.Needs(a, b); err != nil {
		return 0, 0, err
	}
	return a, b, nil
}

// millTables is one execution of the command.
type millTables struct {
	tables *tables.Tables
	folder string
	pairs  [][2]int
	force  bool
	out    io.Writer
}

func (j *millTables) run(ctx context.Context) error {
	for _, pair := range j.pairs {
		needs, err := tables.Needs(pair[0], pair[1])
		if err != nil {
			return err
		}
		for _, n := range needs {
			if j.tables.Has(n[0], n[1]) {
				continue
			}
			if err := j.one(ctx, n[0], n[1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// one reads the table of a pair, or solves it if there is no usable one.
func (j *millTables) one(ctx context.Context, a, b int) error {
	begin := time.Now()
	how := "read"
	if j.force || j.tables.Load(j.folder, a, b) != nil {
		how = "solved"
		if _, err := j.tables.Solve(ctx, a, b); err != nil {
			return err
		}
		if _, err := j.tables.Save(j.folder, a, b); err != nil {
			return errors.Join(fmt.Errorf("table %d-%d was not written", a, b), err)
		}
	}
	st := j.tables.Stats(a, b)
	_, err := fmt.Fprintf(j.out, "%d-%d %s in %.1fs: %d positions, %d won, %d lost, %d drawn, longest win %d turns\n",
		a, b, how, time.Since(begin).Seconds(), st.Positions, st.Won, st.Lost, st.Drawn, st.Longest)
	return err
}
