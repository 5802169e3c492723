package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/report"
	"thera/arena/session"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/arena/web"
)

// play plays a plan to its end and shows the result.
func play(cmd *cobra.Command, plan *arena.Plan, cores int, o *playOptions) error {
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
	ctx, errOut := cmd.Context(), cmd.ErrOrStderr()
	builder := session.Builder{Mode: o.sandbox, Say: func(text string) { tell(errOut, "%s", text) }}
	if plan, _, err = builder.Build(ctx, plan); err != nil { // before there is a database
		return err
	}
	show := func(db *store.Store, live *web.Live) error {
		sum, err := o.session(cmd, db, plan, cores, live)
		if sum == nil || errors.Is(err, store.ErrGone) || err != nil && sum.Counted == 0 {
			return o.resumable(errOut, db, err)
		}
		if failed := o.brief(cmd, db, sum); err != nil || failed != nil {
			return o.resumable(errOut, db, errors.Join(err, failed))
		}
		met := tournament.Met(required, sum, func(text string) { tell(errOut, "%s", text) })
		if err := o.finding(sum, o.events != "-"); err != nil || met {
			return err
		}
		return &exitError{code: exitNotMet}
	}
	return o.withRuns(ctx, func(db *store.Store) error {
		return o.pages.during(ctx, db, errOut, func(live *web.Live) error { return show(db, live) })
	})
}

// brief prints what a run ends with, unless stdout belongs to the events.
func (o *playOptions) brief(cmd *cobra.Command, db *store.Store, sum *arena.Summary) (err error) {
	if o.events == "-" {
		return nil
	}
	ctx := context.WithoutCancel(cmd.Context())
	if sum.Run, err = db.Find(ctx, sum.Run.Name); err != nil {
		return err
	}
	r := report.New(sum)
	if err := addDifference(ctx, db, r, sum); err != nil {
		return err
	}
	r.Width, r.Flags = columns(cmd), dbWords(o.db)
	return r.Brief(cmd.OutOrStdout(), "results "+shellquote.Join(sum.Run.Name))
}

// withRuns opens the database for a command that plays, and creates it if there is none.
func (o *playOptions) withRuns(ctx context.Context, do func(*store.Store) error) (err error) {
	db, err := store.Open(ctx, o.db)
	if err != nil {
		return err
	}
	defer func() {
		if closed := db.Close(); !errors.Is(err, store.ErrGone) { // the run already returned that error
			err = errors.Join(err, closed)
		}
	}()
	return do(db)
}

// session plays a plan and shows its progress, also on the pages of live unless it is nil.
func (o *playOptions) session(
	cmd *cobra.Command, db *store.Store, plan *arena.Plan, cores int, live *web.Live,
) (sum *arena.Summary, err error) {
	play := session.Options{
		Store: db, Fresh: o.fresh, Sandbox: o.sandbox, Cores: cores, Every: o.every, Match: match.Options{Machine: o.machine},
	}
	if o.log != "" {
		trace, closeTrace, failed := newTrace(o.log)
		if failed != nil {
			return nil, fmt.Errorf("--log: %w", failed)
		}
		defer func() { err = errors.Join(err, closeTrace()) }()
		play.Match.Trace = trace
	}
	out := cmd.OutOrStdout()
	display := report.NewLive(cmd.ErrOrStderr(), replaying(o.db, plan))
	display.Every(o.every, out, columns(cmd), dbWords(o.db))
	play.Say = display.Say
	watch := watchers{display}
	if o.events != "" {
		w, err := newEventWriter(o.events, out)
		if err != nil {
			return nil, err
		}
		watch = append(watch, w)
	}
	if live != nil {
		watch, play.Match.Moved = append(watch, live), live.Moved
	}
	play.Watcher = watch
	ring, err := o.remote.Ring()
	if err != nil {
		return nil, err
	}
	if ring != nil {
		play.Secret = append(play.Secret, ring.Dir)
	}
	for _, path := range []string{o.log, o.events} {
		if path != "" && path != "-" {
			play.Secret = append(play.Secret, path)
		}
	}
	if o.remote.Used() {
		play.Slots = plan.Concurrency
		if o.remote.given {
			play.Slots = int(o.remote.slots)
		}
		play.Workers = func(plan *arena.Plan) (session.Remote, func(), error) {
			return o.remote.open(plan, db.Path(), play.Say)
		}
	}
	play.Last = cmd.Context()
	ctx, release := lastGames(cmd.Context(), play.Say)
	defer release()
	return session.Play(ctx, plan, play)
}

// lastGames is a context for games that are being played when the first Ctrl-C ends ctx. It ends
// with the second, or with SIGTERM.
func lastGames(ctx context.Context, say func(text string)) (games context.Context, release func()) {
	games, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-games.Done():
				return
			case s := <-signals:
				if n > 0 || s != os.Interrupt {
					cancel()
					return
				}
				say("Ctrl-C: the games that are being played are the last; Ctrl-C again ends at once")
			}
		}
	}()
	return games, func() {
		signal.Stop(signals)
		cancel()
	}
}

// finding returns exit status 1 for a run that did not answer its question. shown says that its tables
// are on the screen, which name the engines that never made a move. Their faults were shown when they happened.
func (o *playOptions) finding(sum *arena.Summary, shown bool) error {
	var lines []string
	if sum.Stop.Finding() && sum.Stop.Kind != arena.StopDead {
		lines = append(lines, sum.Stop.Text)
	}
	if sum.Doubt != nil {
		lines = append(lines, sum.Doubt.Text)
	}
	for _, d := range sum.Dead {
		if shown {
			break
		}
		lines = append(lines, d.Text)
		if e := sum.Run.Plan.Engine(d.Engine); e != nil {
			lines = append(lines, "  command: "+shellquote.Join(e.Command...))
		}
		lines = append(lines, "  more: "+replayWords(o.db)+" "+arena.Short(d.Game))
	}
	switch {
	case len(lines) == 0 && len(sum.Dead) == 0:
		return nil
	case len(lines) == 0:
		return &exitError{code: exitFindings}
	}
	text := strings.Join(arena.Map(lines, report.Printable), "\n") // parts of it come from engines
	return &exitError{code: exitFindings, err: errors.New(text)}
}

// resumable says of a run that can be resumed what is stored and how.
func (o *playOptions) resumable(errOut io.Writer, db *store.Store, err error) error {
	cut, ok := errors.AsType[*session.Unfinished](err)
	if !ok {
		return err
	}
	without := ""
	if o.fresh {
		without = ", without --fresh"
	}
	kept := fmt.Sprintf("%d games are stored in %s; the same command resumes%s", cut.Games, db.Path(), without)
	if cut.Interrupted {
		tell(errOut, "interrupted: %s", kept)
		return &exitError{code: exitInterrupted}
	}
	tell(errOut, "%s", kept)
	return &exitError{code: exitFindings, err: err}
}

// newTrace returns what writes the engines' lines to a file.
func newTrace(file string) (trace func(engine string, dir byte, line []byte), done func() error, err error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, nil, err
	}
	buffered := bufio.NewWriter(f)
	out := log.New(buffered, "", 0) // for several goroutines
	trace = func(engine string, dir byte, line []byte) {
		out.Printf("%s %c %s", report.Printable(engine), dir, report.Printable(string(line)))
	}
	return trace, func() error { return errors.Join(buffered.Flush(), f.Close()) }, nil
}

// watchers show one run in several ways.
type watchers []interface {
	arena.Watcher
	Close() error
}

// Event implements arena.Watcher.
func (ws watchers) Event(e arena.Event) {
	for _, w := range ws {
		w.Event(e)
	}
}

// Close closes all watchers.
func (ws watchers) Close() (err error) {
	for _, w := range ws {
		err = errors.Join(err, w.Close())
	}
	return err
}

// eventLine is one line of --events.
type eventLine struct {
	arena.Event
	Seconds float64         `json:"seconds"`
	Game    *arena.GameLine `json:"game,omitempty"` // that is finished
}

// eventWriter writes events as JSON lines without buffering.
type eventWriter struct {
	file *os.File // nil: stdout
	enc  *json.Encoder
	err  error
}

func newEventWriter(name string, stdout io.Writer) (*eventWriter, error) {
	if name == "-" {
		return &eventWriter{enc: report.NewJSON(stdout)}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--events: %w", err)
	}
	return &eventWriter{file: f, enc: report.NewJSON(f)}, nil
}

// Event implements arena.Watcher.
func (w *eventWriter) Event(e arena.Event) {
	line := eventLine{Event: e, Seconds: e.Elapsed.Seconds()}
	line.Time = e.Time.UTC()
	if e.Record != nil {
		line.Job, line.Game = nil, e.Record.Line("")
	}
	if w.err == nil {
		w.err = w.enc.Encode(line)
	}
}

// Close closes the file and returns the first error.
func (w *eventWriter) Close() error {
	err := w.err
	if w.file != nil {
		err = errors.Join(err, w.file.Close())
	}
	if err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return nil
}
