package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/remote"
	"thera/engine/santorini"
)

// scenario is what is simulated.
type scenario struct {
	Workers int
	Games   int
	Seed    uint64
	Wait    time.Duration // after which a worker that is not heard has lost its pair
	Delay   spread        // of what a worker sends
	Game    spread        // how long a game takes

	Crashing, Lying, Slow float64 // shares of the workers
}

// fleet is some of the workers: those from first on.
type fleet struct {
	*scenario
	book *book
	url  string
	lags lags

	mu     sync.Mutex
	report fleetReport
}

// fleetReport is what workers know at the end.
type fleetReport struct {
	Workers, Joined, Crashes, Freezes int
	Told                              []lie // those that the host has judged
	Open                              int   // lies that it may not have judged
	Lags                              []int
	CPU                               time.Duration
}

// lie is something false that a worker handed in.
type lie struct {
	Worker, Kind string
	ID           string    // of the game that was to be played
	Says         string    // the identity that it says
	Judged       time.Time // the host had answered by then
}

// habit is what a worker does besides its work.
type habit int

const (
	honest habit = iota
	crashing
	lying
	slow
)

// habitOf spreads the habits evenly over the workers.
func (s *scenario) habitOf(n int) habit {
	falls := func(share, offset float64) bool {
		return int(float64(n+1)*share+offset) > int(float64(n)*share+offset)
	}
	switch {
	case falls(s.Lying, 0):
		return lying
	case falls(s.Crashing, 0.5):
		return crashing
	case falls(s.Slow, 0.25):
		return slow
	}
	return honest
}

// connects is how many workers of a process connect at a time.
const connects = 64

// run plays workers until ctx ends.
func (f *fleet) run(ctx context.Context, first, count int) *fleetReport {
	var all sync.WaitGroup
	dials := make(chan struct{}, connects)
	for n := first; n < first+count; n++ {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(f.Seed, uint64(n)+100))
			for life := 0; ctx.Err() == nil; life++ {
				f.life(ctx, n, life, dice, dials)
			}
		})
	}
	all.Wait()
	f.report.Workers, f.report.Lags = count, f.lags.counts[:]
	return &f.report
}

func (f *fleet) note(change func(r *fleetReport)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.report)
}

// life is a worker from its connection to its end. Afterwards another one comes in its
// place, with the same habit and another name.
func (f *fleet) life(ctx context.Context, n, life int, dice *rand.Rand, dials chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &player{
		fleet: f, name: fmt.Sprintf("w%d-%d", n, life), habit: f.habitOf(n), dice: dice, end: cancel, lies: dice.IntN(len(lies)),
		line: &line{delay: f.Delay, lags: &f.lags, dice: rand.New(rand.NewPCG(dice.Uint64(), 2))},
	}
	dials <- struct{}{}
	nc, err := nats.Connect(f.url, nats.Name(p.name), nats.CustomInboxPrefix("_INBOX_"+p.name), nats.Timeout(time.Minute),
		nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.SetCustomDialer(p.line), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	<-dials
	if err != nil {
		sleep(ctx, time.Second)
		return
	}
	defer nc.Close()
	p.conn = nc
	w := &remote.Worker{
		Conn: nc, Name: p.name, Slots: 1, Speed: 100, Sandbox: "simulated", Say: p.say,
		Prepare: func(info *arena.RunInfo, engines []arena.EngineSpec, _ remote.Fetch) (*remote.Prepared, error) {
			f.note(func(r *fleetReport) { r.Joined++ })
			plan := info.PlanOf(santorini.New(), engines)
			return &remote.Prepared{Plan: plan, Worker: func(int) arena.Worker { return p }}, nil
		},
	}
	_ = w.Run(ctx)
	f.note(func(r *fleetReport) { r.Open += len(p.before) + len(p.told) })
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// player is an arena.Worker that takes its games from the book.
type player struct {
	*fleet
	name  string
	habit habit
	dice  *rand.Rand
	line  *line
	conn  *nats.Conn
	end   context.CancelFunc

	pair  int // that it plays, from 1
	games int // of it
	lies  int // the next one

	mu     sync.Mutex
	told   []lie // in the pair that it plays
	before []lie // in the pair before it, whose games are judged meanwhile
}

// say ends the life of a liar who is expelled: what a worker says last.
func (p *player) say(text string) {
	if p.habit == lying && strings.HasSuffix(text, "is over here") {
		p.end()
	}
}

var errCrashed = errors.New("crashed")

// Play implements arena.Worker.
func (p *player) Play(ctx context.Context, job arena.Job, start arena.Opening) (*arena.Game, error) {
	if p.pair != job.Pair+1 || p.games == 2 {
		p.pair, p.games = job.Pair+1, 0
		p.settle()
	}
	rec := p.book.record(job, start.Position.String())
	if rec == nil {
		return nil, fmt.Errorf("no recorded game starts from %s", start.Position)
	}
	takes := p.Game.draw(p.dice)
	switch {
	case p.habit == crashing && p.dice.IntN(4) == 0:
		sleep(ctx, takes/2)
		p.line.cut()
		p.conn.Close()
		p.end()
		p.note(func(r *fleetReport) { r.Crashes++ })
		return nil, errCrashed
	case p.habit == slow && p.dice.IntN(4) == 0:
		takes += p.Wait + p.Wait/5
		p.line.freeze(takes)
		p.note(func(r *fleetReport) { r.Freezes++ })
	case p.habit == lying && p.games == 0:
		p.lie(rec)
	}
	p.games++
	sleep(ctx, takes)
	return rec, ctx.Err()
}

// Close implements arena.Worker.
func (p *player) Close() error { return nil }

// The kinds of lies.
var lies = []struct {
	kind string
	make func(rec *arena.Game)
}{
	{"illegal move", func(rec *arena.Game) { rec.Moves[len(rec.Moves)/2] = rec.Moves[len(rec.Moves)/2-1] }},
	{"false result", func(rec *arena.Game) { rec.Outcome.Winner = rec.Outcome.Winner.Other() }},
	{"another pair's number", func(rec *arena.Game) { rec.Pair++ }},
	{"identity of no game", func(rec *arena.Game) { rec.ID = strings.Repeat("0", len(rec.ID)) }},
	{"time over the limit", func(rec *arena.Game) { rec.Plies[0].Wall, rec.Seconds = 10*time.Minute, 700 }},
	{"cut short", func(rec *arena.Game) { rec.Moves, rec.Plies = rec.Moves[:9], rec.Plies[:9] }},
}

// lie tells the next lie.
func (p *player) lie(rec *arena.Game) {
	l := lies[p.lies%len(lies)]
	p.lies++
	of := rec.ID
	l.make(rec)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, lie{Worker: p.name, Kind: l.kind, ID: of, Says: rec.ID})
}

// settle reports the lies in the pair before the last one. A host takes the games of a pair
// when it has judged those of the one before.
func (p *player) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(func(r *fleetReport) {
		for _, l := range p.before {
			l.Judged = time.Now()
			r.Told = append(r.Told, l)
		}
	})
	p.before, p.told = p.told, nil
}
