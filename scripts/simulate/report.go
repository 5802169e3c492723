package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// heading says what the rows are about.
func heading(w io.Writer, s *scenario) {
	commit, _ := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	fmt.Fprintf(w, `# Scale

Measured by scripts/simulate on %d cores, %s/%s, %s, commit %s. One run of each size; the workers use the same
processors as the host, at the lowest priority. Host: runner, embedded NATS server, verification and SQLite store
(synchronous=FULL) in one process. Workers: one connection and one slot each, in another process. Recorded games of
Santorini from %d openings; a game takes %v in the median, what a worker sends is late by %v (log-normal, sigma %v).
%.0f %% crash at random, %.0f %% lie, %.0f %% fall silent for longer than the host waits (%v). Speed and CPU time of the host
are from a fifth to four fifths of the games; the lag is from the end of a pair to the begin of the worker's next one, with
the delay of the network. Lost, doubled and false are games, by the store.

| workers | games | lost | doubled | false | crashes | silences | lies | refused | expelled | offered games/s | games/s | CPU a game | lag, median | lag, 99 %% | memory | workers' cores |
|%s
`, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.TrimSpace(string(commit)), openings, s.Game, s.Delay, sigma,
		100*s.Crashing, 100*s.Lying, 100*s.Slow, s.Wait, strings.Repeat("---|", 17))
}

// row writes the figures of a run, and what it broke.
func (r *simulated) row(w io.Writer) {
	s, f := &r.Steady, &r.fleet
	fmt.Fprintf(w, "| %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.0f | %.0f | %d µs | %d ms | %d ms | %d MiB | %.2f |\n",
		r.Workers, r.Games, r.Lost, r.Doubled, r.False, f.Crashes, f.Silences, f.Lies, r.Refused, r.Gone,
		float64(r.Workers)/(mean(r.Game)+mean(r.Delay)).Seconds(), float64(s.Games)/s.Took.Seconds(), s.CPU.Microseconds()/int64(max(s.Games, 1)),
		quantile(f.Lags, 0.5).Milliseconds(), quantile(f.Lags, 0.99).Milliseconds(), r.Memory>>20, f.CPU.Seconds()/r.Elapsed.Seconds())
	for _, text := range r.broken {
		fmt.Fprintf(w, "- %d workers, BROKEN: %s\n", r.Workers, text)
	}
	for _, text := range r.Said {
		fmt.Fprintf(w, "- %d workers, the host said: %s\n", r.Workers, text)
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
