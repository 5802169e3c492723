package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// table writes the figures of runs, as Markdown.
func table(w io.Writer, runs []*simulated) {
	columns := []string{
		"workers", "games", "lost", "doubled", "false", "crashes", "silences", "lies", "refused", "expelled",
		"offered games/s", "games/s", "CPU a game", "lag, median", "lag, 99 %", "memory", "workers' cores",
	}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, r := range runs {
		s, f := &r.Steady, &r.fleet
		fmt.Fprintf(w, "| %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.0f | %.0f | %d µs | %d ms | %d ms | %d MiB | %.2f |\n",
			r.Workers, r.Games, r.Lost, r.Doubled, r.False, f.Crashes, f.Silences, f.Lies, r.Refused, r.Gone,
			float64(r.Workers)/(mean(r.Game)+mean(r.Delay)).Seconds(), float64(s.Games)/s.Took.Seconds(), s.CPU.Microseconds()/int64(max(s.Games, 1)),
			quantile(f.Lags, 0.5).Milliseconds(), quantile(f.Lags, 0.99).Milliseconds(), r.Memory>>20, f.CPU.Seconds()/r.Elapsed.Seconds())
	}
	fmt.Fprintln(w)
	for _, r := range runs {
		for _, text := range r.broken {
			fmt.Fprintf(w, "- %d workers, BROKEN: %s\n", r.Workers, text)
		}
		for _, text := range r.Said {
			fmt.Fprintf(w, "- %d workers, the host said: %s\n", r.Workers, text)
		}
	}
}

// quantile is a time that a share of the times does not exceed; 0 if there are none.
func quantile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	times = slices.Sorted(slices.Values(times))
	return times[int(share*float64(len(times)-1))]
}

// page is results/scale.md.
func page(args []string, s *scenario, runs []*simulated) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `# Scale

Measured by %s on %s.
One run of each size; the workers use the same processors as the host, at the lowest priority.

Host: runner, embedded NATS server, verification and SQLite store (synchronous=FULL) in one process. Workers: one connection
and one slot each, in another process. Recorded games of Santorini of %d plies or so from %d openings, nodes limit; a game takes
%v in the median, what a worker sends is late by %v (log-normal, sigma %v). %.0f %% crash at random, %.0f %% lie,
%.0f %% fall silent for longer than the host waits (%v).

Speed and CPU time of the host are from a fifth to four fifths of the games; the lag is from the end of a pair to the begin of the
worker's next one, with the delay of the network. Lost, doubled and false are games, by the store.

`, "`"+strings.TrimSpace("go run ./scripts/simulate "+strings.Join(args, " "))+"`", machine(), gamePlies, openings, s.Game, s.Delay, sigma,
		100*s.Crashing, 100*s.Lying, 100*s.Slow, s.Wait)
	table(&out, runs)
	return out.Bytes()
}

// machine describes this one.
func machine() string {
	commit := "unknown"
	if text, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		commit = strings.TrimSpace(string(text))
	}
	return fmt.Sprintf("%d cores, %s/%s, %s, commit %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), commit)
}
