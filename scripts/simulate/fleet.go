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
	"thera/engine/game"
	"thera/engine/santorini"
)

// fleet is all workers.
type fleet struct {
	*scenario
	book *book
	url  string
}

// habit is how a worker behaves.
type habit int

const (
	honest habit = iota
	crashing
	lying
	slow
)

// habit draws the habit of a worker.
func (s *scenario) habit(dice *rand.Rand) habit {
	x := dice.Float64()
	for of, share := range [...]float64{honest: 0, crashing: s.Crashing, lying: s.Lying, slow: s.Slow} {
		if x -= share; x < 0 {
			return habit(of)
		}
	}
	return honest
}

// connects is the number of workers that connect at the same time.
const connects = 64

// run plays until ctx ends.
func (f *fleet) run(ctx context.Context) {
	var all sync.WaitGroup
	dials := make(chan struct{}, connects)
	for n := range f.Workers {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(f.Seed, uint64(n)+100))
			habit := f.habit(dice)
			for life := 0; ctx.Err() == nil; life++ {
				f.life(ctx, fmt.Sprintf("w%d-%d", n, life), habit, dice, dials)
			}
		})
	}
	all.Wait()
}

// life runs a worker from its connection to its end. The caller then starts another one in
// its place, with the same habit and another name.
func (f *fleet) life(ctx context.Context, name string, habit habit, dice *rand.Rand, dials chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &player{
		fleet: f, habit: habit, dice: dice, end: cancel, lies: dice.IntN(len(lies)),
		line: &line{delay: f.Delay, dice: rand.New(rand.NewPCG(dice.Uint64(), 2))},
	}
	dials <- struct{}{}
	nc, err := nats.Connect(f.url, nats.CustomInboxPrefix(remote.Inbox(name)), nats.Timeout(time.Minute),
		nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.SetCustomDialer(p.line),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	<-dials
	if err != nil {
		sleep(ctx, time.Second)
		return
	}
	defer nc.Close()
	p.conn = nc
	w := &remote.Worker{
		Conn: remote.NATS{Conn: nc}, Name: name, Slots: 1, Sandbox: "simulated", Say: p.say,
		Prepare: func(info *arena.RunInfo, engines []arena.EngineSpec, _ remote.Fetch) (*remote.Prepared, error) {
			plan := info.PlanOf(santorini.New())
			plan.Engines = engines
			return &remote.Prepared{Plan: plan, Worker: func(int) arena.Worker { return p }}, nil
		},
	}
	_ = w.Run(ctx)
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
	habit habit
	dice  *rand.Rand
	line  *line
	conn  *nats.Conn
	end   context.CancelFunc

	pair int // that it plays, counted from 1
	lies int // index of the next lie
}

// say ends the life of a liar after the last message of an expelled worker.
func (p *player) say(text string) {
	if p.habit == lying && strings.HasSuffix(text, "has ended") {
		p.end()
	}
}

var errCrashed = errors.New("crashed")

// Play implements arena.Worker.
func (p *player) Play(ctx context.Context, job arena.Job, start game.Position) (*arena.Game, error) {
	first := p.pair != job.Pair+1
	p.pair = job.Pair + 1
	rec := p.book.record(job, start.String())
	if rec == nil {
		return nil, fmt.Errorf("no recorded game starts from %s", start)
	}
	takes := draw(p.Game, p.dice)
	switch {
	case p.habit == crashing && p.dice.IntN(4) == 0:
		sleep(ctx, takes/2)
		_ = p.line.wait(0).Close() // with all messages on their way
		p.conn.Close()
		p.end()
		return nil, errCrashed
	case p.habit == slow && p.dice.IntN(4) == 0:
		takes += p.Wait + p.Wait/5
		p.line.freeze(takes)
	case p.habit == lying && first:
		lies[p.lies%len(lies)](rec)
		p.lies++
	}
	sleep(ctx, takes)
	return rec, ctx.Err()
}

// Close implements arena.Worker.
func (p *player) Close() error { return nil }

var lies = []func(rec *arena.Game){
	func(rec *arena.Game) { rec.Moves[len(rec.Moves)/2] = rec.Moves[len(rec.Moves)/2-1] }, // an illegal move
	func(rec *arena.Game) { rec.Outcome.Winner = rec.Outcome.Winner.Other() },
	func(rec *arena.Game) { rec.Pair++ },
	func(rec *arena.Game) { rec.ID = strings.Repeat("0", len(rec.ID)) },
	func(rec *arena.Game) { rec.Plies[0].Wall, rec.Seconds = 10*time.Minute, 700 }, // over the limit
	func(rec *arena.Game) { rec.Moves, rec.Plies = rec.Moves[:9], rec.Plies[:9] },
}
