// Command simulate plays runs with a fleet of simulated workers, up to ten thousand, and
// checks the promises of package remote: no game is lost, none is stored twice, and no false
// game is stored.
//
//	go run ./scripts/simulate > results/scale.md
//	go run ./scripts/simulate -workers 100,1000 -games 20
//
// The host is the real one: runner, embedded NATS server, verification and SQLite store. Each
// worker is a remote.Worker with a connection. All workers run in one other process, at the
// lowest priority. The rest is simulated. Instead of playing, a worker waits and returns a
// recorded game. Its messages are late. Some workers crash, lie, or are silent for longer than
// the host waits. A seed decides all of this.
//
// The command measures how many workers a host can serve on this machine while the fleet uses
// the same processors. It measures no engines and starts none. The exit status is 1 if a
// promise is broken, and 2 if the simulation fails.
package main

import (
	"context"
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err == errBroken {
		os.Exit(1)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(2)
	}
}

var errBroken = errors.New("a promise is broken")

// scenario is what is simulated.
type scenario struct {
	Workers int
	All     int // games of the run
	Seed    uint64
	Wait    time.Duration // after which a silent worker loses its pair
	Game    time.Duration // median time of a game
	Delay   time.Duration // median round trip of the network

	Crashing, Lying, Slow float64 // shares of the workers
}

// run simulates each number of workers.
func run(ctx context.Context, args []string, out io.Writer) (broken error) {
	usual := scenario{
		Seed: 1, Wait: 20 * time.Second, Game: 2 * time.Second, Delay: 30 * time.Millisecond,
		Crashing: 0.01, Lying: 0.01, Slow: 0.05,
	}
	f := flag.NewFlagSet("simulate", flag.ContinueOnError)
	workers := f.String("workers", "10,100,1000,10000", "numbers of workers, each for one run")
	games := f.Int("games", 4, "games of a run per worker")
	url := f.String("fleet", "", "address of the host; simulate starts the process of the workers with this flag")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || *games < 1 {
		return errors.New("expected flags only, and -games of at least 1")
	}
	if *url == "" {
		heading(out, &usual)
	}
	for word := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("-workers %q: expected numbers of at least 1", *workers)
		}
		s := usual
		s.Workers, s.All = n, n**games
		if *url != "" {
			return fleetProcess(ctx, &s, *url, os.Stdin)
		}
		r, err := simulate(ctx, &s, append(args, "-workers", word))
		if err != nil {
			return fmt.Errorf("%d workers: %w", n, err)
		}
		if r.row(out); r.broken != nil {
			broken = errBroken
		}
	}
	return broken
}

// simulate simulates one number of workers.
func simulate(ctx context.Context, s *scenario, args []string) (*simulated, error) {
	dir, err := os.MkdirTemp("", "thera-simulate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &simulated{scenario: s}
	fleet := func(url string) (finish func() error, err error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, "nice", append([]string{"-n", "19", self}, append(args, "-fleet", url)...)...)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		return func() error { return errors.Join(in.Close(), cmd.Wait()) }, cmd.Start() // the process ends with its input
	}
	return r, r.play(ctx, filepath.Join(dir, "thera.db"), fleet)
}

// fleetProcess plays until its input ends.
func fleetProcess(ctx context.Context, s *scenario, url string, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	b, err := newBook(s.Seed)
	if err != nil {
		return err
	}
	(&fleet{s, b, url}).run(ctx)
	return nil
}
