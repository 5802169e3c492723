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
	"github.com/spf13/pflag"

	"thera/arena/report"
	"thera/engine/mill/player/tables"
)

// makeTables solves endgames of Mill and writes them as tables.
func makeTables(cmd *cobra.Command, args []string) error {
	flags := pflag.NewFlagSet("mill tables", pflag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintf(cmd.OutOrStdout(), "Usage:\n  thera engine mill tables [flags]\n\nFlags:\n%s", flags.FlagUsagesWrapped(columns(cmd)))
	}
	men := flags.StringSlice("men", []string{"3-3", "4-3", "4-4"}, "numbers of men of the two sides, 3 to 9 each")
	folder := flags.String("out", "tables", "folder to write to")
	grounded := flags.Bool("no-flying", false, "solve for the rule flying: false")
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected %q", report.Printable(flags.Arg(0)))
	}
	job := millTables{tables: tables.New(!*grounded), folder: *folder, out: cmd.OutOrStdout()}
	for _, text := range *men {
		a, b, err := pairOf(text)
		if err != nil {
			return fmt.Errorf("--men: %w", err)
		}
		job.pairs = append(job.pairs, [2]int{a, b})
	}
	return job.run(cmd.Context())
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
	if j.tables.Load(j.folder, a, b) != nil {
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
