package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkListeners measures the arena's own CPU time a move with nobody watching
// and with 200 pages that watch, in turn, in one run: the median of the growth in
// pairs of neighbouring windows. The watchers are this process, the arena is another.
func BenchmarkListeners(b *testing.B) {
	const watchers, pairs = 200, 20
	for _, limit := range []string{"{depth: 1}", "{move: 20ms}"} {
		b.Run(strings.Trim(limit, "{}"), func(b *testing.B) {
			w := newWatched(b, limit)
			w.window(time.Second) // the machine's caches are warm
			for range b.N {
				var growth, alone, watched []float64
				for i := range pairs {
					cost := map[bool]float64{}
					for _, with := range []bool{i%2 == 0, i%2 != 0} {
						var leave func()
						if with {
							leave = w.listen(b, watchers)
						}
						w.window(time.Second)
						cost[with] = w.window(2500 * time.Millisecond)
						if with {
							leave()
						}
					}
					alone, watched = append(alone, cost[false]), append(watched, cost[true])
					growth = append(growth, 100*(cost[true]/cost[false]-1))
				}
				b.Logf("growth in %%: %.1f", growth)
				b.ReportMetric(median(alone), "µs/move-alone")
				b.ReportMetric(median(watched), "µs/move-watched")
				b.ReportMetric(median(growth), "%-growth")
				b.ReportMetric(0, "ns/op") // a number of windows, not a speed
			}
		})
	}
}

// watched is a thera that plays and serves pages, with its events.
type watched struct {
	*program
	b      *testing.B
	events *bufio.Scanner
}

func newWatched(b *testing.B, limit string) *watched {
	dir := b.TempDir()
	match := fmt.Sprintf("game: santorini\nengines: [{name: a, builtin: true}, {name: b, builtin: true, options: {seed: 2}}]\n"+
		"tournament: {rounds: 1000000}\nopenings: {random_plies: 4}\nconcurrency: 1\nlimit: %s\n", limit)
	if err := os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(match), 0o600); err != nil {
		b.Fatal(err)
	}
	pipe := filepath.Join(dir, "events")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		b.Fatal(err)
	}
	events, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { events.Close() })
	w := &watched{b: b, events: bufio.NewScanner(events)}
	w.events.Buffer(nil, 1<<20)
	w.program = start(b, dir, "run", "m.yaml", "--serve", "127.0.0.1:0", "--events", pipe)
	return w
}

// window returns the arena's CPU time a move, in µs, over a time and up to the end of
// a game.
func (w *watched) window(least time.Duration) float64 {
	w.b.Helper()
	moves, cpu := w.finished()
	for begin := time.Now(); ; {
		m, c := w.finished()
		if time.Since(begin) >= least {
			return (c - cpu).Seconds() * 1e6 / float64(m-moves)
		}
	}
}

// finished waits for the end of a game and returns what the run has taken so far.
func (w *watched) finished() (moves int64, cpu time.Duration) {
	w.b.Helper()
	for w.events.Scan() {
		var e struct {
			Event string `json:"event"`
			Moves int64  `json:"moves"`
		}
		if err := json.Unmarshal(w.events.Bytes(), &e); err != nil {
			w.b.Fatalf("%v: %s", err, w.events.Bytes())
		}
		if e.Event != "game_finished" {
			continue
		}
		var t unix.Timespec
		if err := unix.ClockGettime(int32(^w.Process.Pid<<3|2), &t); err != nil { // the CPU clock of a process
			w.b.Fatal(err)
		}
		return e.Moves, time.Duration(t.Nano())
	}
	w.b.Fatalf("the run is over: %v: %s%s", w.events.Err(), &w.out, &w.err)
	return 0, 0
}

// listen opens connections that read events and returns when each was sent the page
// once.
func (w *watched) listen(b *testing.B, n int) (leave func()) {
	b.Helper()
	address := strings.TrimSuffix(strings.TrimPrefix(w.address, "http://"), "/")
	var open []net.Conn
	ready := make(chan error, n)
	for range n {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		open = append(open, conn)
		go func() {
			fmt.Fprintf(conn, "GET /run/1/events HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n", address)
			line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
			if err == nil && !strings.Contains(line, "200 OK") {
				err = fmt.Errorf("the stream answers %s", line)
			}
			ready <- err
			_, _ = io.Copy(io.Discard, conn)
		}()
	}
	for range n {
		if err := <-ready; err != nil {
			b.Fatal(err)
		}
	}
	return func() {
		for _, conn := range open {
			conn.Close()
		}
	}
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
