package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// heading says what the rows are about.
func heading(w io.Writer, s *scenario) {
	commit, _ := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	fmt.Fprintf(w, `# Scale

Measured by scripts/simulate on %d cores, %s/%s, %s, commit %s. One run of each size. Host: runner, embedded NATS server,
verification and SQLite store (synchronous=FULL) in one process. Workers: one connection and one slot each, in another
process on the same processors, at the lowest priority. Recorded games of Santorini from %d openings; a game takes %v in
the median, what a worker sends is late by %v (log-normal, sigma %v). %.0f %% crash at random, %.0f %% lie, %.0f %% fall
silent for longer than the host waits (%v). Speed and CPU time of the host are from a fifth to four fifths of the games,
and its memory is that at their end. Lost, doubled and false are games, by the store.

| workers | games | lost | doubled | false | silent | refused | expelled | games/s | CPU a game | memory |
|%s
`, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.TrimSpace(string(commit)), openings, s.Game, s.Delay, sigma,
		100*s.Crashing, 100*s.Lying, 100*s.Slow, s.Wait, strings.Repeat("---|", 11))
}

// row writes the figures of a run, and what it broke.
func (r *simulated) row(w io.Writer) {
	fmt.Fprintf(w, "| %d | %d | %d | %d | %d | %d | %d | %d | %.0f | %d µs | %d MiB |\n",
		r.Workers, r.All, r.Lost, r.Doubled, r.False, r.Silent, r.Refused, r.Gone,
		float64(r.Games)/r.Took.Seconds(), r.CPU.Microseconds()/int64(max(r.Games, 1)), r.memory>>20)
	for _, text := range r.broken[:min(len(r.broken), 20)] {
		fmt.Fprintf(w, "- %d workers, BROKEN: %s\n", r.Workers, text)
	}
	for _, text := range r.Said {
		fmt.Fprintf(w, "- %d workers, the host said: %s\n", r.Workers, text)
	}
}
