// Command simulate plays runs with a fleet of simulated workers, up to ten thousand, and
// checks what package remote promises: no game is lost, none is stored twice, and every
// lie that the rules can show is found.
//
//	go run ./scripts/simulate                                    the tables of results/scale.md
//	go run ./scripts/simulate -workers 100,1000 -games 20 -out ''
//
// The host is the real one, in a process of its own: runner, embedded NATS server,
// verification and SQLite store. Each worker is a remote.Worker on a connection of its
// own, in several processes. What is simulated is the rest: games are recorded ones that
// are only waited for, what a worker sends is late, and some workers crash, lie, or fall
// silent for longer than the host waits. All is drawn from a seed.
//
// It says what a host can carry on this machine while the fleet uses the same processors
// (at the lowest priority). It refuses to speak about engines: none is started. The exit
// status is 1 if a promise is broken, and 2 if the simulation cannot be done.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"thera/arena/proc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	kept, err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(2)
	case !kept:
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	scenario
	workers string
	perWork int
	procs   int
	out     string
	profile string

	role, url, path string // of the processes that it starts
	first, count    int
}

// run reports whether all promises were kept.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) (bool, error) {
	o := options{}
	f := flag.NewFlagSet("simulate", flag.ContinueOnError)
	f.StringVar(&o.workers, "workers", "10,100,1000,10000", "how many workers, one run for each")
	f.IntVar(&o.perWork, "games", 12, "games of a run for each worker")
	f.IntVar(&o.procs, "procs", 2, "processes of workers")
	f.Uint64Var(&o.Seed, "seed", 1, "of all that is drawn")
	f.DurationVar(&o.Wait, "wait", 20*time.Second, "after which a worker that is not heard has lost its pair")
	f.DurationVar(&o.Game.Median, "game", 2*time.Second, "median time of a game")
	f.Float64Var(&o.Game.Sigma, "game-sigma", 0.4, "of its log-normal distribution")
	f.DurationVar(&o.Delay.Median, "delay", 30*time.Millisecond, "median round trip of the network")
	f.Float64Var(&o.Delay.Sigma, "delay-sigma", 0.5, "of its log-normal distribution")
	f.Float64Var(&o.Crashing, "crashing", 0.01, "share of workers whose connection ends in the middle of some pairs")
	f.Float64Var(&o.Lying, "lying", 0.01, "share of workers that hand in something false with each pair")
	f.Float64Var(&o.Slow, "slow", 0.05, "share of workers that are silent for longer than the host waits")
	f.StringVar(&o.out, "out", filepath.Join("results", "scale.md"), "the report's file; empty: none")
	f.StringVar(&o.profile, "profile", "", "file for the host's CPU profile, of the last run; empty: none")
	f.StringVar(&o.role, "role", "", "of a process that simulate starts itself")
	f.StringVar(&o.url, "url", "", "of the host, with -role")
	f.StringVar(&o.path, "db", "", "of the host, with -role")
	f.IntVar(&o.first, "first", 0, "worker, with -role")
	f.IntVar(&o.count, "count", 0, "of workers, with -role")
	if err := f.Parse(args); err != nil {
		return false, err
	}
	if f.NArg() > 0 {
		return false, fmt.Errorf("unexpected %q", f.Arg(0))
	}
	switch o.role {
	case "host":
		return true, o.hostProcess(whileOpen(ctx, in), out)
	case "fleet":
		return true, o.fleetProcess(whileOpen(ctx, in), out)
	}
	return o.all(ctx, args, out)
}

// all simulates each number of workers and writes the report.
func (o *options) all(ctx context.Context, args []string, out io.Writer) (bool, error) {
	if o.procs < 1 || o.perWork < 1 {
		return false, errors.New("-procs and -games: expected 1 or more")
	}
	var sizes []int
	for word := range strings.SplitSeq(o.workers, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return false, fmt.Errorf("-workers %q: expected numbers from 1", o.workers)
		}
		sizes = append(sizes, n)
	}
	var runs []*simulated
	kept := true
	for _, n := range sizes {
		s := o.scenario
		s.Workers, s.Games = n, n*o.perWork
		fmt.Fprintf(os.Stderr, "%d workers, %d games …\n", s.Workers, s.Games)
		r, err := o.one(ctx, &s)
		if err != nil {
			return false, fmt.Errorf("%d workers: %w", n, err)
		}
		runs = append(runs, r)
		kept = kept && len(r.verdict.Broken) == 0
		if err := table(out, runs[len(runs)-1:]); err != nil {
			return false, err
		}
	}
	if o.out == "" {
		return kept, nil
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o777); err != nil {
		return false, err
	}
	file, err := os.Create(o.out)
	if err != nil {
		return false, err
	}
	return kept, errors.Join(page(file, args, o, runs), file.Close())
}

// one simulates one number of workers, in processes.
func (o *options) one(ctx context.Context, s *scenario) (*simulated, error) {
	dir, err := os.MkdirTemp("", "thera-simulate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "thera.db")
	host, err := child(ctx, s, "-role", "host", "-db", path, "-profile", o.profile)
	if err != nil {
		return nil, err
	}
	defer host.end()
	var url string
	if err := host.read(&url); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	var fleets []*process
	for i := range o.procs {
		first, next := s.Workers*i/o.procs, s.Workers*(i+1)/o.procs
		p, err := child(ctx, s, "-role", "fleet", "-url", url, "-first", strconv.Itoa(first), "-count", strconv.Itoa(next-first))
		if err != nil {
			return nil, err
		}
		defer p.end()
		fleets = append(fleets, p)
	}
	r := &simulated{scenario: s, fleet: fleetReport{Lags: make([]int, lagSteps)}}
	if err := host.read(&r.host); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	for _, p := range fleets {
		_ = p.in.Close() // it ends
		var f fleetReport
		if err := p.read(&f); err != nil {
			return nil, fmt.Errorf("workers: %w", err)
		}
		r.fleet.add(&f)
	}
	return r, r.judge(ctx, path)
}

// child starts this program once more.
func child(ctx context.Context, s *scenario, words ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words = append(words, "-workers", strconv.Itoa(s.Workers), "-games", strconv.Itoa(s.Games), "-seed", strconv.FormatUint(s.Seed, 10),
		"-wait", s.Wait.String(), "-game", s.Game.Median.String(), "-game-sigma", fmt.Sprint(s.Game.Sigma),
		"-delay", s.Delay.Median.String(), "-delay-sigma", fmt.Sprint(s.Delay.Sigma),
		"-crashing", fmt.Sprint(s.Crashing), "-lying", fmt.Sprint(s.Lying), "-slow", fmt.Sprint(s.Slow))
	p := &process{cmd: exec.CommandContext(ctx, self, words...)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// process is a child.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// read reads a line of JSON.
func (p *process) read(into any) error {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("it ended early: %w", err)
	}
	return json.Unmarshal(line, into)
}

func (p *process) end() {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// more is how many files a process needs besides its connections.
const more = 200

// hostProcess writes the server's address and, at the end, its report.
func (o *options) hostProcess(ctx context.Context, out io.Writer) error {
	o.child()
	if err := files(o.Workers + more); err != nil {
		return err
	}
	b, err := newBook(o.Seed)
	if err != nil {
		return err
	}
	write := json.NewEncoder(out)
	h := &host{scenario: &o.scenario, plan: b.plan(o.Games, o.Seed), path: o.path}
	report, err := h.run(ctx, func(url string) { _ = write.Encode(url) }) // the parent sees that it lacks
	if o.profile != "" {
		err = errors.Join(err, os.WriteFile(o.profile, h.profile.Bytes(), 0o666))
	}
	return errors.Join(err, write.Encode(report))
}

// whileOpen is a context that ends with a child's input: its parent closes it, or is gone.
func whileOpen(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	return ctx
}

// fleetProcess plays until its input ends and writes its report.
func (o *options) fleetProcess(ctx context.Context, out io.Writer) error {
	o.child()
	if err := files(o.count + more); err != nil {
		return err
	}
	yieldTo()
	b, err := newBook(o.Seed)
	if err != nil {
		return err
	}
	f := &fleet{scenario: &o.scenario, book: b, url: o.url}
	report := f.run(ctx, o.first, o.count)
	report.CPU = proc.OwnCPU()
	return json.NewEncoder(out).Encode(report)
}

// child takes the numbers of the one run that a process is for.
func (o *options) child() {
	o.Workers, _ = strconv.Atoi(o.workers) // written by one
	o.Games = o.perWork
}
