package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// simulated is one run and what became of it.
type simulated struct {
	*scenario
	host    hostReport
	fleet   fleetReport
	verdict *verdict
}

// add adds the report of other workers.
func (r *fleetReport) add(other *fleetReport) {
	r.Workers += other.Workers
	r.Joined += other.Joined
	r.Crashes += other.Crashes
	r.Freezes += other.Freezes
	r.Told = append(r.Told, other.Told...)
	r.Open += other.Open
	for i, n := range other.Lags {
		r.Lags[i] += n
	}
	r.CPU += other.CPU
}

func (r *simulated) judge(ctx context.Context, path string) error {
	b, err := newBook(r.Seed)
	if err == nil {
		r.verdict, err = judge(ctx, path, b.plan(r.Games, r.Seed), b, &r.host, &r.fleet)
	}
	return err
}

// rows are a table of Markdown.
type rows [][]string

func (t rows) write(w io.Writer) error {
	var text strings.Builder
	for i, row := range t {
		text.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			text.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	_, err := io.WriteString(w, text.String()+"\n")
	return err
}

// table writes the figures of runs.
func table(w io.Writer, runs []*simulated) error {
	speed := rows{{"workers", "games", "offered games/s", "games/s", "host's cores", "CPU a game", "lag, median", "lag, 99 %", "memory", "workers' cores"}}
	cost := rows{{"workers"}}
	for _, p := range parts {
		cost[0] = append(cost[0], p.name)
	}
	cost[0] = append(cost[0], otherPart, "all")
	held := rows{{"workers", "games", "lost", "doubled", "false", "crashes", "silences", "lies", "found", "late doubles", "missed", "expelled"}}
	kinds := rows{{"workers", "kind of lie", "told", "found", "late doubles", "missed"}}
	for _, r := range runs {
		s := &r.host.Steady
		rate := float64(s.Games) / s.Took.Seconds()
		each := float64(s.CPU.Microseconds()) / float64(s.Games)
		speed = append(speed, []string{
			fmt.Sprint(r.Workers), fmt.Sprint(r.Games), fmt.Sprintf("%.0f", r.offered()), fmt.Sprintf("%.0f", rate),
			fmt.Sprintf("%.2f", s.CPU.Seconds()/s.Took.Seconds()), fmt.Sprintf("%.0f µs", each),
			short(quantile(r.fleet.Lags, 0.5)), short(quantile(r.fleet.Lags, 0.99)),
			fmt.Sprintf("%d MiB", r.mostMemory()>>20), fmt.Sprintf("%.2f", r.fleet.CPU.Seconds()/r.host.Elapsed.Seconds()),
		})
		row := []string{fmt.Sprint(r.Workers)}
		for _, name := range cost[0][1 : len(cost[0])-1] {
			row = append(row, fmt.Sprintf("%.0f", s.Split[name]*each))
		}
		cost = append(cost, append(row, fmt.Sprintf("%.0f", each)))
		v, sum := r.verdict, fate{}
		for _, kind := range slices.Sorted(keys(v.Lies)) {
			f := v.Lies[kind]
			sum = fate{sum.Told + f.Told, sum.Found + f.Found, sum.Late + f.Late, sum.Missed + f.Missed}
			kinds = append(kinds, []string{fmt.Sprint(r.Workers), kind, fmt.Sprint(f.Told), fmt.Sprint(f.Found), fmt.Sprint(f.Late), fmt.Sprint(f.Missed)})
		}
		held = append(held, numbers(r.Workers, v.Games, v.Lost, v.Doubled, v.False, r.fleet.Crashes, r.fleet.Freezes,
			sum.Told, sum.Found, sum.Late, sum.Missed, r.host.Said["expelled"]))
	}
	for _, part := range []struct {
		title string
		rows  rows
	}{
		{"Speed, from a fifth to four fifths of the games:", speed},
		{"The host's CPU time a game, in µs:", cost},
		{"Promises, by the store:", held},
		{"Lies:", kinds},
	} {
		if _, err := fmt.Fprintf(w, "%s\n\n", part.title); err != nil {
			return err
		}
		if err := part.rows.write(w); err != nil {
			return err
		}
	}
	for _, r := range runs {
		if err := r.timeline(w); err != nil {
			return err
		}
	}
	return nil
}

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func numbers(list ...int) (row []string) {
	for _, n := range list {
		row = append(row, fmt.Sprint(n))
	}
	return row
}

// offered is how many games the workers play in a second if the host is never slow: a
// round trip hands the games of a pair in and brings the next one.
func (r *simulated) offered() float64 {
	return float64(r.Workers) / (r.Game.mean() + r.Delay.mean()).Seconds()
}

func short(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
}

// timeline writes ten moments of a run, and what else the host said.
func (r *simulated) timeline(w io.Writer) error {
	t := rows{{"time"}, {"games"}, {"memory, MiB"}}
	n := len(r.host.Samples)
	for i := range min(n, 10) {
		x := r.host.Samples[i*(n-1)/max(min(n, 10)-1, 1)]
		t[0] = append(t[0], fmt.Sprintf("%.0f s", x.At.Seconds()))
		t[1] = append(t[1], fmt.Sprint(x.Games))
		t[2] = append(t[2], fmt.Sprint(x.Memory>>20))
	}
	if _, err := fmt.Fprintf(w, "%d workers over time:\n\n", r.Workers); err != nil {
		return err
	}
	if err := t.write(w); err != nil {
		return err
	}
	for _, text := range r.verdict.Broken {
		if _, err := fmt.Fprintf(w, "- BROKEN: %s\n", text); err != nil {
			return err
		}
	}
	for text := range keys(r.host.Said) {
		if other, is := strings.CutPrefix(text, "other: "); is {
			if _, err := fmt.Fprintf(w, "- the host said: %s\n", other); err != nil {
				return err
			}
		}
	}
	return nil
}

// page writes results/scale.md.
func page(w io.Writer, args []string, o *options, runs []*simulated) error {
	command := strings.TrimSpace("go run ./scripts/simulate " + strings.Join(args, " "))
	_, err := fmt.Fprintf(w, `# Scale

Measured by %s on %s.
Load at its end: %s. One run of each size; the workers use the same processors as the host, at the lowest priority.

Host: runner, embedded NATS server, verification and SQLite store (synchronous=FULL) in one process. Workers: one connection
and one slot each, in %d processes. Recorded games of Santorini of %d plies or so from %d openings, nodes limit; a game takes
%v in the median (log-normal, sigma %v), what a worker sends is late by %v (sigma %v). %.0f %% crash at random, %.0f %% lie,
%.0f %% fall silent for longer than the host waits (%v).

Lag is the time from when games are in the host's socket until the next pair comes out of it.

`, "`"+command+"`", machine(), load(), o.procs, gamePlies, openings, o.Game.Median, o.Game.Sigma, o.Delay.Median, o.Delay.Sigma,
		100*o.Crashing, 100*o.Lying, 100*o.Slow, o.Wait)
	if err != nil {
		return err
	}
	if err := table(w, runs); err != nil {
		return err
	}
	return paper(w, runs)
}

// machine describes this one.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	commit := "unknown"
	if text, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output(); err == nil {
		commit = strings.TrimSpace(string(text))
	}
	return fmt.Sprintf("%d cores, %s, %s, %s, commit %s", runtime.NumCPU(), name, runtime.GOOS, runtime.Version(), commit)
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
