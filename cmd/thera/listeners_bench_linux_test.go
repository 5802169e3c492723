package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkListeners measures the arena's own CPU time a move with nobody watching
// and with 200 pages that watch. Two arenas play the same at the same time, so that
// whatever else the machine does meets both, and take turns in being watched. The
// growth is the median over pairs of turns. At depth 4 a move takes some 10 ms. The
// watchers are this process.
func BenchmarkListeners(b *testing.B) {
	const watchers, turns = 200, 16
	for _, limit := range []string{"{depth: 1}", "{depth: 4}"} {
		b.Run(strings.Trim(limit, "{}"), func(b *testing.B) {
			arenas := [2]*watched{newWatched(b, limit), newWatched(b, limit)}
			for range b.N {
				var growth, alone, watched []float64
				last := 0.0
				for i := range turns {
					on := arenas[i%2]
					leave := on.listen(b, watchers)
					both(arenas, time.Second)           // what the first page has cost is over
					cost := both(arenas, 8*time.Second) // longer than from one update to the next
					leave()
					alone, watched = append(alone, cost[1-i%2]), append(watched, cost[i%2])
					ratio := math.Log(cost[i%2] / cost[1-i%2])
					if i%2 == 1 { // what is peculiar to an arena cancels out
						growth = append(growth, 100*(math.Exp((last+ratio)/2)-1))
					}
					last = ratio
				}
				slices.Sort(growth)
				b.Logf("growth in %%: %.1f", growth)
				b.ReportMetric(median(alone), "µs/move-alone")
				b.ReportMetric(median(watched), "µs/move-watched")
				b.ReportMetric(median(growth), "%-growth")
				b.ReportMetric(0, "ns/op") // a number of windows, not a speed
			}
		})
	}
}

// both measures two arenas at the same time.
func both(arenas [2]*watched, least time.Duration) (cost [2]float64) {
	var each sync.WaitGroup
	for i, w := range arenas {
		each.Go(func() { cost[i] = w.window(least) })
	}
	each.Wait()
	return cost
}

// watched is a thera that plays and serves pages, with its events.
type watched struct {
	*program
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
	w := &watched{events: bufio.NewScanner(events)}
	w.events.Buffer(nil, 1<<20)
	w.program = start(b, dir, "run", "m.yaml", "--serve", "127.0.0.1:0", "--events", pipe)
	return w
}

// window returns the arena's CPU time a move, in µs, over a time and up to the end of
// a game.
func (w *watched) window(least time.Duration) float64 {
	moves, cpu := w.finished()
	for begin := time.Now(); ; {
		m, c := w.finished()
		if time.Since(begin) >= least {
			return (c - cpu).Seconds() * 1e6 / float64(m-moves)
		}
	}
}

// finished waits for the end of a game and returns what the run has taken so far. It
// panics when the run is over: it is called by goroutines, which cannot end a benchmark.
func (w *watched) finished() (moves int64, cpu time.Duration) {
	for w.events.Scan() {
		var e struct {
			Event string `json:"event"`
			Moves int64  `json:"moves"`
		}
		if err := json.Unmarshal(w.events.Bytes(), &e); err != nil {
			panic(fmt.Sprintf("%v: %s", err, w.events.Bytes()))
		}
		if e.Event != "game_finished" {
			continue
		}
		var t unix.Timespec
		if err := unix.ClockGettime(int32(^w.Process.Pid<<3|2), &t); err != nil { // the CPU clock of a process
			panic(err)
		}
		return e.Moves, time.Duration(t.Nano())
	}
	panic(fmt.Sprintf("the run is over: %v: %s%s", w.events.Err(), &w.out, &w.err))
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
			lines := bufio.NewReader(conn)
			line, err := lines.ReadString('\n')
			if err == nil && !strings.Contains(line, "200 OK") {
				err = fmt.Errorf("the stream answers %s", line)
			}
			for err == nil && line != "event: at\n" { // the end of the first page
				line, err = lines.ReadString('\n')
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
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
