package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/report"
	"thera/arena/store"
	"thera/arena/web"
	"thera/engine/game"
)

// exportCommand writes a run to a file.
func exportCommand(machine player.Machine) *cobra.Command {
	o := exportOptions{checks: checks{machine: machine}}
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Write a run as JSONL, CSV, PGN, HTML or a game's format",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.games < 0 {
				return fmt.Errorf("--games %d: expected 0 or more", o.games)
			}
			o.checks.errOut = cmd.ErrOrStderr()
			if o.dir == "" && o.checks.file != "" {
				return fmt.Errorf("--check %s without --each", o.checks.file)
			}
			return withRun(cmd, o.db, args, func(ctx context.Context, db *store.Store, run arena.RunInfo) error {
				if err := o.checks.read(run, o.db); err != nil {
					return showProblems(cmd, err)
				}
				return o.export(ctx, cmd.OutOrStdout(), db, run)
			})
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().StringVar(&o.form, "format", "jsonl", strings.Join(exportFormats, ", ")+", or the game's own format")
	cmd.Flags().StringVarP(&o.output, "output", "o", "",
		"write to `FILE` (a folder for a game's own format), not to stdout")
	cmd.Flags().IntVar(&o.games, "games", 200, "in HTML: how many games to include at most")
	cmd.Flags().StringVar(&o.dir, "each", "", "in HTML: a page for each engine, in the folder `DIR`")
	cmd.Flags().StringVar(&o.checks.file, "check", "", "with --each: check the engines of the match `FILE` for their pages")
	setFlag(cmd, &o.checks.sets)
	allFlag(cmd, &o.all)
	return cmd
}

type exportOptions struct {
	db, form, output string
	dir              string // of the pages of engines
	checks           checks // of the engines of these pages
	all              bool
	games            int
}

// exportFormats are the formats that every run can be written in.
var exportFormats = []string{"jsonl", "csv", "html", "pgn"}

func (o *exportOptions) export(ctx context.Context, stdout io.Writer, db *store.Store, run arena.RunInfo) error {
	var damage *store.Damage // what can be read is written all the same
	write := func(w io.Writer) error {
		err := o.write(ctx, w, db, run)
		if errors.As(err, &damage) {
			return nil
		}
		return err
	}
	var err error
	if o.dir != "" {
		return o.pages(ctx, db, run)
	}
	if o.output != "" && slices.Contains(exportFormats, o.form) {
		err = files.Replace(o.output, write)
	} else {
		out := bufio.NewWriter(stdout)
		err = errors.Join(write(out), out.Flush())
	}
	if err == nil && damage != nil {
		err = damage
	}
	return err
}

func (o *exportOptions) write(ctx context.Context, w io.Writer, db *store.Store, run arena.RunInfo) error {
	switch o.form {
	case "jsonl":
		return o.jsonl(ctx, w, db, run)
	case "csv":
		return o.csv(ctx, w, db, run)
	case "html":
		return web.WriteReport(ctx, w, web.Options{Store: db, Game: gameOfRun}, run, o.games)
	case "pgn":
		counts := map[string]bool{}
		_, err := countedOf(ctx, db, run, func(pair []*arena.Game, _ bool) {
			for _, g := range pair {
				counts[g.ID] = true
			}
		})
		if err != nil && !errors.Is(err, store.ErrDamaged) { // each names the games
			return err
		}
		return o.each(ctx, db, run, func(rec *arena.Game) error { return report.PGN(w, run.Name, rec, counts[rec.ID]) })
	}
	return o.native(ctx, w, db, run)
}

// pages writes the page of each engine.
func (o *exportOptions) pages(ctx context.Context, db *store.Store, run arena.RunInfo) error {
	switch {
	case o.form != "html":
		return fmt.Errorf("--each with --format %s: expected html", o.form)
	case o.output != "":
		return fmt.Errorf("--each with --output %s: expected one of them", o.output)
	}
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return err
	}
	names := map[string]bool{}
	checked, err := o.checks.all(ctx, run)
	if err != nil {
		return err
	}
	opts := web.Options{Store: db, Game: gameOfRun}
	create := func(engine string, write func(io.Writer) error) error {
		name := cmp.Or(fileName(engine), "engine")
		for n := 2; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", fileName(engine), n)
		}
		names[name] = true
		return files.Replace(filepath.Join(o.dir, name+".html"), write)
	}
	return web.WriteEach(ctx, opts, run, replayWords(o.db), checked, create)
}

// fileName is a file's name for an engine's.
func fileName(engine string) string {
	words := strings.FieldsFunc(strings.ToLower(engine), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
	})
	return strings.Trim(strings.Join(words, "-"), ".")
}

func (o *exportOptions) jsonl(ctx context.Context, w io.Writer, db *store.Store, run arena.RunInfo) error {
	head := report.ExportHead{RunInfo: run, Engines: run.Engines()}
	head.ID = 0 // of this database
	e, err := report.NewExporter(w, head)
	if err != nil {
		return err
	}
	err = o.each(ctx, db, run, e.Game)
	damage, damaged := errors.AsType[*store.Damage](err)
	switch {
	case damaged:
		return cmp.Or(e.Close(len(damage.Games)+max(0, damage.Lost)), err)
	case err != nil:
		return err
	}
	return e.Close(0)
}

// each calls do with every undamaged game.
func (o *exportOptions) each(ctx context.Context, db *store.Store, run arena.RunInfo, do func(*arena.Game) error) error {
	for rec, err := range db.Games(ctx, run.ID, o.all) {
		if err == nil {
			err = do(rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// csvHead names the fields of a row of csv.
const csvHead = "id,round,pair,leg,first,second,role1,role2,winner,source,reason,plies,seconds," +
	"ms1,ms2,cpu_ms1,cpu_ms2,nodes1,nodes2,start,status"

func (o *exportOptions) csv(ctx context.Context, w io.Writer, db *store.Store, run arena.RunInfo) error {
	out := report.NewCSV(w)
	if err := out.Write(strings.Split(csvHead, ",")); err != nil {
		return err
	}
	err := o.each(ctx, db, run, func(rec *arena.Game) error {
		l := rec.Line(run.Name)
		a, b := l.Sides[0], l.Sides[1]
		var row []string
		for _, field := range []any{
			l.ID, l.Round, l.Pair, l.Leg, l.First, l.Second, l.Roles[0], l.Roles[1], l.Outcome.Winner, l.Source, l.Reason, l.Plies, l.Seconds,
			a.Ms, b.Ms, a.CPUMs, b.CPUMs, a.Nodes, b.Nodes, l.Start, l.Status,
		} {
			row = append(row, fmt.Sprint(field))
		}
		return out.Write(row)
	})
	return errors.Join(err, out.Flush())
}

// native writes games in their game's format.
func (o *exportOptions) native(ctx context.Context, w io.Writer, db *store.Store, run arena.RunInfo) error {
	g, err := gameOfRun(&run)
	if err != nil {
		return err
	}
	var formats []string
	archiver, ok := g.(game.Archiver)
	if ok {
		formats = archiver.Formats()
	}
	if !slices.Contains(formats, o.form) {
		return game.Unknown("format", o.form, slices.Concat(exportFormats, formats))
	}
	if o.output != "" {
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return err
		}
	}
	return o.each(ctx, db, run, func(rec *arena.Game) error {
		history, illegal, err := match.Moves(g, &rec.Start, rec.Moves)
		if err == nil && illegal != nil {
			err = illegal
		}
		var text []byte
		if err == nil {
			text, err = archiver.Write(o.form, history, game.Heading{
				Event: run.Name, Round: rec.Round,
				Players: [2]string{report.Printable(rec.Engine(game.First)), report.Printable(rec.Engine(game.Second))},
				Date:    rec.Started.UTC(), Ended: rec.Source != arena.Stalled, Outcome: rec.Outcome,
			})
		}
		if err != nil {
			return fmt.Errorf("game %s: %w", rec.ID, err)
		}
		if o.output == "" {
			_, err := fmt.Fprintf(w, "%s\n\n", strings.TrimRight(string(text), "\n"))
			return err
		}
		name := fmt.Sprintf("%05d-%s", rec.Index, arena.Short(rec.ID))
		if !rec.Status.Counts() {
			name += fmt.Sprintf("-%s%d", rec.Status, rec.Attempt)
		}
		return files.Replace(filepath.Join(o.output, name+"."+o.form), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	})
}
