package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/remote"
	"thera/arena/runner"
	"thera/arena/store"
)

// hostReport is what the host knows at the end.
type hostReport struct {
	Played  int
	Elapsed time.Duration
	Found   []found        // lies
	Said    map[string]int // other remarks about workers

	// Of the steady part of the run, from a fifth to four fifths of its games.
	Steady struct {
		Games int
		Took  time.Duration
		CPU   time.Duration
		Split map[string]float64 // shares of the CPU time; nil where it is not measured
	}
	Samples []sample
}

// found is a lie that the host has reported.
type found struct{ Worker, ID string }

// sample is the state of the host at a time.
type sample struct {
	At     time.Duration
	Games  int
	Memory int64 // resident, in bytes; 0 where it is not known
}

// host plays a run for workers only. ready gets the address of its server.
type host struct {
	*scenario
	plan *arena.Plan
	path string // of the database

	mu      sync.Mutex
	begun   time.Time
	games   int
	steady  int // games of the steady part before now
	at      time.Time
	cpu     time.Duration
	profile bytes.Buffer
	report  hostReport
}

func (h *host) run(ctx context.Context, ready func(url string)) (*hostReport, error) {
	h.report.Said = map[string]int{}
	db, err := store.Open(ctx, h.path)
	if err != nil {
		return nil, err
	}
	server, err := remote.Serve("127.0.0.1:0", nil)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	nc, err := server.Connect()
	if err != nil {
		server.Close()
		return nil, errors.Join(err, db.Close())
	}
	host := &remote.Host{Conn: nc, Plan: h.plan, Home: h.path, Wait: h.Wait, Book: db}
	h.begun = time.Now()
	ready("nats://" + server.Address())
	sampling, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { h.sample(sampling) })
	sum, err := (&runner.Runner{Plan: h.plan, Store: db, Remote: host, Watcher: h}).Run(ctx)
	stop()
	all.Wait()
	if sum != nil {
		h.report.Played, h.report.Elapsed = sum.Run.Played, time.Since(h.begun)
	}
	nc.Close()
	server.Close()
	err = errors.Join(err, db.Close())
	if err == nil && h.profile.Len() > 0 {
		h.report.Steady.Split, err = split(bytes.NewReader(h.profile.Bytes()))
	}
	return &h.report, err
}

// How the host's remarks about lies begin, with the worker and the game.
var foundForms = []*regexp.Regexp{
	regexp.MustCompile(`^worker (\S+): game "(\w+)" is refused: `),
}

// Remarks that are counted.
var saidForms = map[string]*regexp.Regexp{
	"expelled": regexp.MustCompile(`^worker \S+ is expelled`),
	"silent":   regexp.MustCompile(`^worker \S+ (is silent|has gone|has forgotten)`),
	"joined":   regexp.MustCompile(`^worker \S+ plays`),
	"left":     regexp.MustCompile(`^worker \S+ has left`),
}

// Event implements arena.Watcher.
func (h *host) Event(e arena.Event) {
	switch e.Kind {
	case arena.GameFinished:
		h.finished(e.Played)
	case arena.Warned:
		for _, form := range foundForms {
			if m := form.FindStringSubmatch(e.Text); m != nil {
				h.report.Found = append(h.report.Found, found{m[1], m[2]})
				return
			}
		}
		for what, form := range saidForms {
			if form.MatchString(e.Text) {
				h.report.Said[what]++
				return
			}
		}
		h.report.Said["other: "+e.Text]++
	}
}

// finished measures the steady part of the run.
func (h *host) finished(games int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.games = games
	all := 2 * h.plan.Format.Rounds
	switch s := &h.report.Steady; {
	case h.at.IsZero() && games >= all/5:
		h.at, h.steady, h.cpu = time.Now(), games, proc.OwnCPU()
		_ = pprof.StartCPUProfile(&h.profile) // without it the split is missing
	case !h.at.IsZero() && s.Games == 0 && games >= all*4/5:
		pprof.StopCPUProfile()
		s.Games, s.Took, s.CPU = games-h.steady, time.Since(h.at), proc.OwnCPU()-h.cpu
	}
}

// sample notes the state of the host each second.
func (h *host) sample(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		h.mu.Lock()
		h.report.Samples = append(h.report.Samples, sample{time.Since(h.begun), h.games, memory()})
		games := h.games
		h.mu.Unlock()
		if n := len(h.report.Samples); n%20 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d games\n", games, 2*h.plan.Format.Rounds)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
