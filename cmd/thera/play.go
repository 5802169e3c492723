package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/match"
	"thera/arena/proc"
	"thera/arena/report"
	"thera/arena/runner"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/game"
)

// play plays a plan to its end and shows the result.
func play(cmd *cobra.Command, plan *arena.Plan, cores int, o *playOptions) (err error) {
	ctx, out, errOut := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	switch {
	case o.every < 0:
		return fmt.Errorf("--every %d: expected a number of games", o.every)
	case o.every > 0 && o.events == "-":
		return errors.New("--every: stdout belongs to --events -")
	}
	required, err := tournament.Requirements(plan, o.require)
	if err != nil {
		return fmt.Errorf("--require: %w", err)
	}
	if err := o.remote.check(plan); err != nil {
		return err
	}
	if err := o.build(ctx, plan, errOut); err != nil {
		return err
	}
	db, err := store.Open(ctx, o.db)
	if err != nil {
		return err
	}
	defer func() {
		if closed := db.Close(); !errors.Is(err, store.ErrGone) { // the run already returned that error
			err = errors.Join(err, closed)
		}
	}()
	release, err := db.Hold(plan.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if o.fresh {
		aside, err := db.SetAside(ctx, plan.Name)
		if err != nil {
			return err
		}
		if aside != "" {
			tell(errOut, "the earlier run is kept as %s", aside)
		}
	}
	progress := errOut // written by the workers too, with -v, and by connections to others
	if o.verbose || o.remote.used() {
		progress = &sharedWriter{w: errOut}
	}
	trace, closeTrace, err := o.trace(progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTrace()) }()
	watch, err := o.watchers(out, progress, columns(cmd))
	if err != nil {
		return err
	}
	secrets, err := o.remote.secrets()
	if err != nil {
		return err
	}
	boxes, err := o.sandboxes(plan, errOut, append(secrets, db.Path())...)
	if err != nil {
		return err
	}
	options := match.Options{Boxes: boxes, Trace: trace, Machine: o.machine}
	live, closePages, err := o.live(ctx, db, errOut)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closePages()) }()
	if live != nil {
		watch, options.Moved = append(watch, live), live.Moved
	}
	d := &runner.Runner{
		Plan: plan, Store: db, Watcher: watch, Every: o.every,
		Worker: func(slot int) arena.Worker {
			return match.NewWorker(runner.Pinned(plan, slot), slot, options)
		},
	}
	if o.remote.used() {
		d.Slots = plan.Concurrency
		if o.remote.given {
			d.Slots = o.remote.slots
		}
		host, closeHost, failed := o.remote.open(plan, d.Slots, db.Path(), sayer(progress))
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, closeHost()) }()
		host.Stored, host.Book, host.Own = db.Stored, db, d.Slots
		d.Remote = host
	}
	if text := config.Overload(plan, cores); text != "" {
		d.Warnings = append(d.Warnings, text)
	}
	if slices.ContainsFunc(plan.Engines, func(e arena.EngineSpec) bool { return e.Memory > 0 }) {
		tell(errOut, "memory is limited by %s", proc.MemoryHow())
	}
	result, err := d.Run(ctx)
	if closed := watch.Close(); closed != nil {
		err = errors.Join(err, closed)
	}
	if o.events == "-" { // stdout belongs to the events
		out = io.Discard
	}
	show := o.show
	if show == nil {
		show = func(ctx context.Context, out io.Writer, db *store.Store, sum *arena.Summary) error {
			return showRun(ctx, out, db, sum, columns(cmd), dbWords(o.db))
		}
	}
	if err != nil {
		if o.show == nil && result != nil && result.Summary != nil && result.Summary.Counted > 0 && !errors.Is(err, store.ErrGone) {
			err = errors.Join(err, show(context.WithoutCancel(ctx), out, db, result.Summary))
		}
		return o.stopped(ctx, errOut, db.Path(), result, err)
	}
	if result.Played == 0 && !result.Summary.Stop.Unrated() {
		tell(errOut, "%s is finished, nothing is left to play: %s", plan.Name, result.Reason)
	}
	if err := show(ctx, out, db, result.Summary); err != nil {
		return err
	}
	unmet := demand(required, result.Summary, func(text string) { tell(errOut, "%s", text) })
	if err := finding(ctx, db, result.Summary); err != nil {
		return err
	}
	return unmet
}

// finding returns exit status 1 for a run that did not answer its question,
// with what is known about engines that never made a move.
func finding(ctx context.Context, db *store.Store, sum *arena.Summary) error {
	var lines []string
	if sum.Stop.Finding() && sum.Stop.Kind != arena.StopDead {
		lines = append(lines, sum.Stop.Text)
	}
	for _, d := range sum.Drops {
		if !d.Dead {
			continue
		}
		lines = append(lines, d.Text)
		for _, e := range sum.Engines {
			if e.Name == d.Engine {
				lines = append(lines, "  command: "+strings.Join(quoteAll(e.Command), " "))
			}
		}
		rec, _, err := db.Game(ctx, d.Game)
		if err != nil {
			return err
		}
		if rec.Fault == nil || rec.Blamed == game.None {
			continue
		}
		lines = append(lines, "  ended: "+rec.Fault.Error())
		said := strings.Split(strings.TrimSpace(rec.Stderr[rec.Blamed.Index()]), "\n")
		if last := said[len(said)-1]; last != "" {
			lines = append(lines, "  stderr: "+last)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	for i := range lines { // parts of them come from engines
		lines[i] = report.Printable(lines[i])
	}
	return &exitError{code: exitFindings, err: errors.New(strings.Join(lines, "\n"))}
}

// stopped returns an error that says what is stored and how to resume.
func (o *playOptions) stopped(ctx context.Context, errOut io.Writer, db string, result *runner.RunResult, err error) error {
	if result == nil || errors.Is(err, store.ErrGone) {
		return err
	}
	kept := fmt.Sprintf("%d games are stored in %s; resume with: %s", result.Kept+result.Played, db, o.again)
	if interrupted(ctx, err) {
		tell(errOut, "interrupted: %s", kept)
		return &exitError{code: exitInterrupted}
	}
	var stop *runner.StoppedError
	if errors.As(err, &stop) {
		tell(errOut, "%s", kept)
		return &exitError{code: exitFindings, err: stop}
	}
	var store *runner.StoreError
	if result.Kept+result.Played == 0 && !errors.As(err, &store) {
		return err // no game was played
	}
	tell(errOut, "%s", kept)
	return &exitError{code: exitFindings, err: err}
}

// trace writes the engines' lines to --log and, with -v, to stderr. It is nil
// if neither is set.
func (o *playOptions) trace(errOut io.Writer) (func(engine string, dir byte, line []byte), func() error, error) {
	var to []io.Writer
	done := func() error { return nil }
	if o.verbose {
		to = append(to, errOut)
	}
	if o.log != "" {
		f, err := os.Create(o.log)
		if err != nil {
			return nil, nil, fmt.Errorf("--log: %w", err)
		}
		buffered := bufio.NewWriter(f)
		to = append(to, buffered)
		done = func() error { return errors.Join(buffered.Flush(), f.Close()) }
	}
	if len(to) == 0 {
		return nil, done, nil
	}
	w := io.MultiWriter(to...)
	var mu sync.Mutex
	return func(engine string, dir byte, line []byte) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, "%s %c %s\n", report.Printable(engine), dir, report.Printable(string(line)))
	}, done, nil
}

// sharedWriter is a writer for several goroutines: their lines do not mix.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
