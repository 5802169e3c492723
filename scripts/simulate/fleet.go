package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
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
	Wait    time.Duration // after which the lease of a worker that is not heard is lost
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
	Workers, Joined, Crashes, Freezes, Doubles int
	Told                                       []lie // those that the host has judged
	Open                                       int   // lies that it may not have judged
	Lags                                       []int
	CPU                                        time.Duration
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
	if p.habit == lying {
		sub, err := nc.Subscribe("thera.runs", p.runs)
		if err != nil {
			return
		}
		defer func() { _ = sub.Unsubscribe() }()
	}
	w := &remote.Worker{
		Conn: nc, Name: p.name, Slots: 1, Speed: 100, Sandbox: "simulated", Say: p.say,
		Prepare: func(info *arena.RunInfo, engines []arena.EngineSpec) (*remote.Prepared, error) {
			f.note(func(r *fleetReport) { r.Joined++ })
			plan := info.PlanOf(santorini.New(), engines)
			return &remote.Prepared{Plan: plan, Worker: func(int) arena.Worker { return p }}, nil
		},
	}
	_ = w.Run(ctx)
	f.note(func(r *fleetReport) { r.Open += len(p.before.told) + len(p.leased.told) })
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

	pair int // of the lease that it plays, from 1
	lies int // the next one
	leased

	before leased // the lease before it, whose games are handed in meanwhile

	mu  sync.Mutex // of what is told, and of key
	key string     // of the run
}

// leased is what a player does with a lease.
type leased struct {
	told  []lie
	extra string          // what is handed in after the lease: a kind of lie
	games []*arena.Record // of the lease
}

// runs learns the key of the run.
func (p *player) runs(msg *nats.Msg) {
	var notice struct{ Key string }
	if json.Unmarshal(msg.Data, &notice) == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.key = notice.Key
	}
}

// refusedForm is how a worker says that games were refused, with the identity that the
// first false one says.
var refusedForm = regexp.MustCompile(`: game "(\w+)" is refused: `)

// say notes the lies that the host has found, and ends the life of a liar who is expelled:
// what a worker says last.
func (p *player) say(text string) {
	if p.habit != lying {
		return
	}
	if m := refusedForm.FindStringSubmatch(text); m != nil {
		found := func(l lie) bool { return l.Says == m[1] }
		p.settle(&p.before, found)
		p.settle(&p.leased, found)
	}
	if strings.HasSuffix(text, "is over here") {
		p.end()
	}
}

var errCrashed = errors.New("crashed")

// Play implements arena.Worker.
func (p *player) Play(ctx context.Context, job arena.Job, start arena.Opening) (*arena.Record, error) {
	if p.pair != job.Pair+1 || len(p.games) == 2 { // the games of the lease before the last one were judged
		p.pair = job.Pair + 1
		p.again(ctx, &p.before)
		p.settle(&p.before, all)
		p.mu.Lock()
		p.before, p.leased = p.leased, leased{}
		p.mu.Unlock()
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
	case p.habit == lying && (job.Leg == 0 || len(p.games) == 0):
		p.lie(rec)
	}
	p.games = append(p.games, rec)
	sleep(ctx, takes)
	return rec, ctx.Err()
}

// Close implements arena.Worker.
func (p *player) Close() error { return nil }

// The kinds of lies: about a game, and games that come after it.
const (
	doubled       = "doubled record"
	contradicting = "contradicting record"
)

var lies = []struct {
	kind string
	make func(rec *arena.Record)
}{
	{"illegal move", func(rec *arena.Record) { rec.Moves[len(rec.Moves)/2] = rec.Moves[len(rec.Moves)/2-1] }},
	{"false result", func(rec *arena.Record) { rec.Outcome.Winner = rec.Outcome.Winner.Other() }},
	{doubled, nil},
	{"another pair's number", func(rec *arena.Record) { rec.Pair++ }},
	{"identity of no game", func(rec *arena.Record) { rec.ID = strings.Repeat("0", len(rec.ID)) }},
	{contradicting, nil},
	{"time over the limit", func(rec *arena.Record) { rec.Plies[0].Wall, rec.Seconds = 10*time.Minute, 700 }},
	{"cut short", func(rec *arena.Record) { rec.Moves, rec.Plies = rec.Moves[:9], rec.Plies[:9] }},
}

// lie tells the next lie.
func (p *player) lie(rec *arena.Record) {
	l := lies[p.lies%len(lies)]
	p.lies++
	if p.extra = ""; l.make == nil {
		p.extra = l.kind
		return
	}
	of := rec.ID
	l.make(rec)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, lie{Worker: p.name, Kind: l.kind, ID: of, Says: rec.ID})
}

// settle reports those lies of a lease that were judged.
func (p *player) settle(of *leased, judged func(lie) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(func(r *fleetReport) {
		for i := range of.told {
			if judged(of.told[i]) {
				of.told[i].Judged = time.Now()
				r.Told = append(r.Told, of.told[i])
			}
		}
	})
	of.told = slices.DeleteFunc(of.told, judged)
}

func all(lie) bool { return true }

// again hands the games of a lease in once more, true or false.
func (p *player) again(ctx context.Context, of *leased) {
	p.mu.Lock()
	key := p.key
	p.mu.Unlock()
	if of.extra == "" || key == "" || len(of.games) == 0 {
		return
	}
	kind, recs := of.extra, of.games
	of.extra = ""
	if kind == contradicting {
		recs[0].Outcome.Winner = recs[0].Outcome.Winner.Other()
	}
	data, err := remote.Pack(recs)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	msg, err := p.conn.RequestWithContext(ctx, "thera."+key+".games."+p.name, data)
	if err != nil || !bytes.Equal(msg.Data, receiptWord) {
		return // not judged
	}
	if kind == contradicting {
		p.mu.Lock()
		defer p.mu.Unlock()
		of.told = append(of.told, lie{Worker: p.name, Kind: kind, ID: recs[0].ID, Says: recs[0].ID})
		return
	}
	p.note(func(r *fleetReport) { r.Doubles += len(recs) })
}
