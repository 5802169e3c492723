package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/report"
	"thera/arena/store"
	"thera/engine/game"
)

// importCommand brings exported games back.
func importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Bring exported runs, or games in a game's own format, into the database",
		Long: `Reads what thera export wrote as JSONL. Every game is first judged by the rules; a file with a bad line
brings nothing in. Games that are there already stay as they are. A run of the same name must have been
played under the same conditions (or give --name).

With --format and --game it reads files in a game's own format (pyrat), one finished game each, as games
of the engines --first and --second.`,
		Example: "  thera import games.jsonl --name from-the-other-machine\n  thera import --game pyrat --format pyrat *.pyrat --name old-matches",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			db, err := store.Open(cmd.Context(), o.db)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			if o.form != "jsonl" {
				return o.own(cmd, db, args)
			}
			for _, path := range args {
				n, name, err := o.file(cmd.Context(), db, path)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d games in run %s\n", path, n, name)
			}
			return nil
		},
	}
	dbFlag(cmd, &o.db)
	cmd.Flags().StringVar(&o.name, "name", "", "the run's `NAME` here, if not that of the file")
	cmd.Flags().StringVar(&o.form, "format", "jsonl", "jsonl, or a format of the game's own")
	cmd.Flags().StringVar(&o.game, "game", "", "the `GAME` of files in its own format")
	cmd.Flags().StringVar(&o.engines[0], "first", "first", "who had the first seat, for files that do not tell")
	cmd.Flags().StringVar(&o.engines[1], "second", "second", "who had the second seat")
	return cmd
}

type importOptions struct {
	db, name, form, game string
	engines              [2]string
}

// file reads a file twice: all of it is judged before any of it is stored.
func (o *importOptions) file(ctx context.Context, db *store.Store, path string) (int, string, error) {
	var head report.ExportHead
	var g game.Game
	start := func(h report.ExportHead) (err error) {
		head = h
		g, err = gameOfRun(&arena.RunInfo{Name: h.Run, Game: h.Game, Plan: h.Settings})
		return err
	}
	check := func(rec *arena.Record) error {
		line, illegal, err := rejudge(g, &rec.Start, rec.Moves)
		if err != nil {
			return fmt.Errorf("game %s: %w", rec.ID, err)
		}
		if why := disagreement(rec, line, illegal); why != "" {
			return fmt.Errorf("game %s: %s", rec.ID, why)
		}
		return nil
	}
	if err := readExport(path, start, check); err != nil {
		return 0, "", err
	}
	info := arena.RunInfo{Name: head.Run, Game: head.Game, Plan: head.Settings}
	if o.name != "" {
		info.Name = o.name
	}
	run, err := db.Restore(ctx, info, head.Engines)
	if err != nil {
		return 0, "", err
	}
	p := newPutter(ctx, db, run)
	err = readExport(path, func(report.ExportHead) error { return nil }, p.put)
	if err := errors.Join(err, p.wait()); err != nil {
		return p.n, info.Name, err
	}
	for _, remark := range head.Remarks {
		if err := db.Note(ctx, run, "", remark.Text); err != nil {
			return p.n, info.Name, err
		}
	}
	return p.n, info.Name, db.Note(ctx, run, head.State, "imported from "+path)
}

// readExport walks an exported file.
func readExport(path string, head func(report.ExportHead) error, each func(*arena.Record) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(make([]byte, 1<<16), maxLine)
	n := 0
	for scan.Scan() {
		n++
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		if n == 1 {
			err = readHead(scan.Bytes(), head)
		} else {
			err = readGame(scan.Bytes(), each)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: empty, want what thera export wrote", path)
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", path, n+1, err)
	}
	return nil
}

func readHead(text []byte, head func(report.ExportHead) error) error {
	var h report.ExportHead
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("not the head of an exported run: %w", err)
	}
	switch {
	case h.Thera == 0:
		return errors.New(`not the head of an exported run: no "thera"`)
	case h.Thera != report.ExportForm:
		return fmt.Errorf("form %d of exported runs, this program reads %d", h.Thera, report.ExportForm)
	case h.Run == "" || len(h.Engines) == 0:
		return errors.New("a head without the run's name or its engines")
	}
	return head(h)
}

func readGame(text []byte, each func(*arena.Record) error) error {
	var line report.ExportLine
	if err := json.Unmarshal(text, &line); err != nil {
		return notJSON(err)
	}
	rec, err := line.Record()
	if err != nil {
		return err
	}
	return each(rec)
}

// putter stores games side by side, so that they share commits.
type putter struct {
	ctx  context.Context
	db   *store.Store
	run  int64
	n    int
	room chan struct{}
	all  sync.WaitGroup
	mu   sync.Mutex
	err  error
}

func newPutter(ctx context.Context, db *store.Store, run int64) *putter {
	return &putter{ctx: ctx, db: db, run: run, room: make(chan struct{}, 256)}
}

func (p *putter) put(rec *arena.Record) error {
	p.room <- struct{}{}
	p.n++
	p.all.Go(func() {
		err := p.db.Put(p.ctx, p.run, rec)
		<-p.room
		p.mu.Lock()
		defer p.mu.Unlock()
		p.err = errors.Join(p.err, err)
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *putter) wait() error {
	p.all.Wait()
	return p.err
}

// own reads games in a format of their game.
func (o *importOptions) own(cmd *cobra.Command, db *store.Store, paths []string) error {
	ctx := cmd.Context()
	if o.game == "" || o.name == "" {
		return fmt.Errorf("--format %s needs --game and --name", o.form)
	}
	g, err := findGame(o.game)
	if err != nil {
		return err
	}
	archiver, ok := g.(game.Archiver)
	if !ok {
		return fmt.Errorf("--format %s: %s has no format of its own", o.form, o.game)
	}
	var records []*arena.Record
	for i, path := range paths {
		rec, err := o.ownGame(g, archiver, path, i)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		records = append(records, rec)
	}
	info := arena.RunInfo{Name: o.name, Game: o.game, Plan: arena.Settings{Format: arena.Format{Name: "imported"}}}
	run, err := db.Restore(ctx, info, []arena.EngineSpec{{Name: o.engines[0]}, {Name: o.engines[1]}})
	if err != nil {
		return err
	}
	p := newPutter(ctx, db, run)
	for _, rec := range records {
		if err = p.put(rec); err != nil {
			break
		}
	}
	if err := errors.Join(err, p.wait()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d games in run %s\n", p.n, o.name)
	return db.Note(ctx, run, "finished", "")
}

// maxOwnGame is the most bytes of a game's own file.
const maxOwnGame = 16 << 20

func (o *importOptions) ownGame(g game.Game, archiver game.Archiver, path string, i int) (*arena.Record, error) {
	text, err := config.ReadFile(path, maxOwnGame)
	if err != nil {
		return nil, err
	}
	line, err := archiver.Read(o.form, text)
	if err != nil {
		return nil, err
	}
	outcome, over := line.Position.Outcome()
	if !over {
		return nil, fmt.Errorf("the game is not over after %d plies", line.Ply)
	}
	start := line.Start().Position
	rec := &arena.Record{
		Job:     arena.Job{ID: contentID(text), Pairing: o.engines, Round: i + 1, Pair: i, Index: i},
		Started: time.Now(), Start: start.String(), Outcome: outcome, Source: arena.Natural,
	}
	if catalog, ok := g.(game.RoleCatalog); ok {
		rec.Roles = catalog.RolesIn(start)
	}
	for _, turn := range line.Turns() {
		rec.Moves = append(rec.Moves, turn.String())
	}
	return rec, nil
}

// contentID is the identity of a game that has none: the hash of its text.
func contentID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
