package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/match"
	"thera/arena/report"
	"thera/arena/store"
	"thera/engine/game"
)

// importCommand imports exported games.
func importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Import exported runs, or games in a game's own format",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			var runs []*incoming
			add := func(r *incoming, err error) error {
				runs = append(runs, r)
				return err
			}
			if o.form != "jsonl" {
				err = add(o.native(args)) // all files are one run
			} else {
				for _, path := range args {
					err = cmp.Or(err, add(o.exported(cmd.ErrOrStderr(), path)))
				}
			}
			if err != nil {
				return err
			}
			db, err := store.Open(cmd.Context(), o.db)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			for _, r := range runs {
				if err := r.bring(cmd.Context(), cmd.ErrOrStderr(), db); err != nil {
					return err
				}
			}
			return nil
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` of the imported run (default: the name in the file)")
	cmd.Flags().StringVar(&o.form, "format", "jsonl", "jsonl, or the game's own format")
	cmd.Flags().StringVar(&o.game, "game", "", "the `GAME` of files in its own format")
	cmd.Flags().StringVar(&o.engines[0], "first", "first", "engine in the first seat, if the file does not name it")
	cmd.Flags().StringVar(&o.engines[1], "second", "second", "engine in the second seat")
	return cmd
}

type importOptions struct {
	db, name, form, game string
	engines              [2]string
}

// incoming is a verified run that is not stored yet.
type incoming struct {
	from  string // for messages
	info  arena.RunInfo
	games iter.Seq2[*arena.Game, error]

	claims map[string]int // by loser: games that rest on a fault or a resignation alone
}

// unproven says how many games rest on what the rules cannot show, "" if none do.
func (r *incoming) unproven() string {
	var engines []string
	n := 0
	for _, name := range slices.Sorted(maps.Keys(r.claims)) {
		n += r.claims[name]
		engines = append(engines, fmt.Sprintf("%s %d", report.Printable(name), r.claims[name]))
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d rest on faults or resignations alone (%s), which no rule can verify",
		n, strings.Join(engines, ", "))
}

// note counts a game that the rules do not lead to. pos is its last position.
func (r *incoming) note(pos game.Position, rec *arena.Game) {
	fault := rec.Source == arena.Faulted && rec.Blamed != game.None && !match.Forbidden(pos, rec)
	resigned := rec.Source == arena.Natural && rec.Outcome.Reason == game.Resigned
	if loser := 1 - rec.Winner(); rec.Status.Counts() && (fault || resigned) && loser < 2 {
		r.claims[rec.Pairing[loser]]++
	}
}

// bring stores the run, completely or not at all.
func (r *incoming) bring(ctx context.Context, say io.Writer, db *store.Store) (err error) {
	release, err := db.Hold(r.info.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	n, err := db.Import(ctx, r.info, r.games)
	if err != nil {
		return fmt.Errorf("%snothing was imported: %w", r.from, err)
	}
	fmt.Fprintf(say, "%s%d games in run %s%s\n", r.from, n, report.Printable(r.info.Name), r.unproven())
	return nil
}

// exported verifies an exported file. It reads the file again to store it, because it may
// be larger than memory.
func (o *importOptions) exported(say io.Writer, path string) (*incoming, error) {
	r := &incoming{from: path + ": ", claims: map[string]int{}}
	var g game.Game
	head := func(h report.ExportHead) (err error) {
		r.info, r.info.Plan.Engines = h.RunInfo, h.Engines
		g, err = gameOfRun(&r.info)
		return err
	}
	end, err := readExport(path, head, func(rec *arena.Game) error {
		history, illegal, err := match.Moves(g, &rec.Start, rec.Moves)
		if err == nil {
			if why := disagreement(rec, history, illegal); why != "" {
				err = errors.New(why)
			}
		}
		if err != nil { // our rules contradict the game
			return fmt.Errorf("game %s: %w", rec.ID, err)
		}
		r.note(history.Position, rec)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.info.Name = cmp.Or(o.name, r.info.Name)
	if end.Damaged > 0 {
		tell(say, "%s: warning: %d games of the run were damaged when it was exported, and are missing; "+
			"the run is marked as interrupted", path, end.Damaged)
	}
	if end.Damaged > 0 || r.info.State != "finished" {
		r.info.State = "interrupted"
	}
	r.info.Remarks = append(r.info.Remarks, arena.Remark{Time: time.Now(), Text: "imported from " + path})
	r.games = func(yield func(*arena.Game, error) bool) {
		enough := errors.New("enough")
		_, err := readExport(path, func(report.ExportHead) error { return nil }, func(rec *arena.Game) error {
			if !yield(rec, nil) {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			yield(nil, err)
		}
	}
	return r, nil
}

func readExport(
	path string, head func(report.ExportHead) error, each func(*arena.Game) error,
) (*report.ExportEnd, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return report.ReadExport(path, f, maxLine, head, each)
}

// native verifies games in their game's format.
func (o *importOptions) native(paths []string) (*incoming, error) {
	if o.game == "" || o.name == "" {
		return nil, fmt.Errorf("--format %s needs --game and --name", o.form)
	}
	g, err := findGame(o.game)
	if err != nil {
		return nil, err
	}
	archiver, ok := g.(game.Archiver)
	if !ok {
		return nil, fmt.Errorf("--format %s: %s has no format of its own", o.form, o.game)
	}
	plan := arena.Plan{Format: arena.Format{Name: "imported"}, Engines: []arena.EngineSpec{{Name: o.engines[0]}, {Name: o.engines[1]}}}
	r := &incoming{info: arena.RunInfo{Name: o.name, Game: o.game, State: "finished", Plan: plan}}
	var records []*arena.Game
	for i, path := range paths {
		rec, err := o.ownGame(g, archiver, path, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		records = append(records, rec)
	}
	r.games = func(yield func(*arena.Game, error) bool) {
		slices.Values(records)(func(rec *arena.Game) bool { return yield(rec, nil) })
	}
	return r, nil
}

// maxOwn bounds a file in a game's format, which has one game.
const maxOwn = 16 << 20

func (o *importOptions) ownGame(g game.Game, archiver game.Archiver, path string, i int) (*arena.Game, error) {
	text, err := files.Read(path, maxOwn)
	if err != nil {
		return nil, err
	}
	history, err := archiver.Read(o.form, text)
	if err != nil {
		return nil, err
	}
	outcome, over := history.Position.Outcome()
	if !over {
		return nil, fmt.Errorf("the game is not over after %d plies", history.Ply)
	}
	start := history.Start().Position
	rec := &arena.Game{
		Job:     arena.Job{ID: fmt.Sprintf("%x", sha256.Sum256(text))[:32], Pairing: o.engines, Round: i + 1, Pair: i, Index: i},
		Started: time.Now(), Start: start.String(), Outcome: outcome, Source: arena.Natural,
		Roles: game.RolesOf(g, start),
	}
	rec.Moves = arena.Map(history.Turns(), game.Turn.String)
	return rec, nil
}
