package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/remote"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/arena/session"
	"thera/arena/versions/source"
)

// workerCommand plays games of runs on other machines.
func workerCommand() *cobra.Command {
	o := workerOptions{}
	cmd := &cobra.Command{
		Use:   "worker INVITATION|nats://HOST:PORT",
		Short: "Play games of runs that other machines host",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.slots, "slots", "auto", "games at a time, or auto: all allowed cores but one")
	f.StringVar(&o.name, "name", "",
		"what runs call this worker (default: as in the invitation, or the machine and process)")
	f.StringVar(&o.dir, "engines", "", "a `DIR` of engines that runs may use, found by name and SHA-256")
	sandboxFlag(cmd, &o.sandbox, sandbox.Auto)
	f.BoolVar(&o.accept, "accept-shipped", false,
		"play engines that hosts ship (thera run --ship) and this machine does not have; with --sandbox require only")
	return cmd
}

type workerOptions struct {
	slots, name, dir, sandbox string
	accept                    bool
}

func (o *workerOptions) run(cmd *cobra.Command, at string) error {
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	if o.accept && o.sandbox != sandbox.Require {
		return errors.New("--accept-shipped runs programs of others: it needs --sandbox require")
	}
	host, err := thisHost()
	if err != nil {
		return err
	}
	slots := max(1, host.Cores-1)
	if o.slots != "auto" {
		if slots, err = strconv.Atoi(o.slots); err != nil || slots < 1 || slots > 4096 {
			return fmt.Errorf("--slots %q: expected auto or a number from 1 to 4096", o.slots)
		}
	}
	if o.dir != "" {
		if o.dir, err = filepath.Abs(o.dir); err != nil {
			return err
		}
		if info, err := os.Stat(o.dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--engines %s: no such folder", o.dir)
		}
	}
	engines := &remote.Engines{Self: host.Self, Dir: o.dir}
	if o.accept {
		dir, err := source.CacheDir()
		if err != nil {
			return err
		}
		engines.Cache = filepath.Join(dir, "shipped") // where engines of others are kept
	}
	holds, err := sandboxReport(o.sandbox)
	if err != nil {
		return err
	}
	errOut := cmd.ErrOrStderr()
	lines := log.New(errOut, "", 0) // for several goroutines
	say := func(text string) { lines.Print(report.Wrap(report.Printable(text), report.Columns(errOut), 2)) }
	w, err := remote.Dial(at, o.name, say, cancel)
	if err != nil {
		return err
	}
	defer w.Conn.Close()
	w.Slots, w.Sandbox = slots, holds
	w.Prepare = func(info *arena.RunInfo, list []arena.EngineSpec, fetch remote.Fetch) (*remote.Prepared, error) {
		list = slices.Clone(list)
		if err := engines.Find(list, fetch); err != nil {
			return nil, err
		}
		return o.prepare(info, list, slots, w.Secrets, host.Self)
	}
	say(fmt.Sprintf("worker %s, %s; sandbox: %s", w.Name, arena.Plural(slots, "slot"), holds))
	err = w.Run(ctx)
	if errors.Is(err, nats.ErrConnectionClosed) {
		<-ctx.Done() // connect says why
		err = nil
	}
	switch {
	case err == nil && cmd.Context().Err() != nil:
		return &exitError{code: exitInterrupted}
	case err == nil:
		return context.Cause(ctx)
	}
	return err
}

// sandboxReport says in one line what holds on this machine.
func sandboxReport(mode string) (string, error) {
	_, report, err := sandbox.Boxes([]arena.EngineSpec{{Name: "any", Sandbox: mode, Command: []string{os.Args[0]}}})
	if errors.As(err, new(*sandbox.MissingError)) {
		return "", err
	}
	return cmp.Or(report.String(), sandbox.Off), nil
}

// prepare makes a run of engines that are here ready to be played.
func (o *workerOptions) prepare(
	info *arena.RunInfo, engines []arena.EngineSpec, slots int, secrets []string, self string,
) (*remote.Prepared, error) {
	g, err := gameOfRun(info)
	if err != nil {
		return nil, err
	}
	plan := info.PlanOf(g)
	plan.Engines, plan.Concurrency = engines, slots
	for i := range plan.Engines {
		plan.Engines[i].Sandbox = o.sandbox
		plan.Engines[i].Adapt(g, self)
	}
	boxes, _, err := sandbox.Boxes(plan.Engines, secrets...)
	if err != nil {
		return nil, err
	}
	return &remote.Prepared{Plan: plan, Worker: func(slot int) arena.Worker {
		return match.NewWorker(plan, match.Options{Boxes: boxes})
	}}, nil
}

// remoteOptions are the flags of a run for workers elsewhere.
type remoteOptions struct {
	remote.Reach
	slots uint
	given bool // --slots
	ship  bool
}

func (o *remoteOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Listen, "workers", "",
		"let workers play as well: they connect to this `HOST:PORT` (port 0: a free one)")
	f.StringVar(&o.URL, "nats", "", "let workers play as well, over the NATS server at this `URL`")
	keysFlag(cmd, &o.Keys)
	f.BoolVar(&o.ship, "ship", false,
		"with --workers or --nats: workers that accept it get the files of engines that they do not have")
	f.UintVar(&o.slots, "slots", 0,
		"with --workers or --nats: games that this machine plays at a time (default: concurrency of the file; 0: none)")
	cmd.MarkFlagsMutuallyExclusive("workers", "nats")
	cmd.MarkFlagsMutuallyExclusive("keys", "nats")
}

// check refuses what cannot be before anything starts.
func (o *remoteOptions) check(plan *arena.Plan) error {
	if o.Used() {
		return remote.CheckPlan(plan)
	}
	if o.given || o.ship || o.Keys != "" {
		return errors.New("--slots, --ship and --keys are for runs with --workers or --nats")
	}
	return nil
}

// open makes the host of a run. The caller closes it.
func (o *remoteOptions) open(plan *arena.Plan, home string, say func(string)) (session.Remote, func(), error) {
	h := &remote.Host{Home: home}
	if o.ship {
		var err error
		if h.Ship, err = remote.Shipment(plan.Engines); err != nil {
			return nil, nil, fmt.Errorf("--ship: %w", err)
		}
	}
	nc, end, err := o.Connect(say)
	if err != nil {
		return nil, nil, err
	}
	h.Conn = remote.NATS{Conn: nc}
	return h, end, nil
}
