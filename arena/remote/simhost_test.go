package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
)

// disk is the store as one life of a host sees it. What it writes takes time, and is written only
// if the host still lives then. The store is there after its death.
type disk struct {
	*arenatest.Store
	*end
	mu      sync.Mutex
	counted map[string]bool // games that the run has counted, and that are not void or excluded since
	said    []string
}

var errKilled = fmt.Errorf("killed: %w", context.Canceled)

// write waits, writes if the host lives, and waits until it knows that. The host may die meanwhile.
func (d *disk) write(what string, act func() error) error {
	d.end.mu.Lock()
	name := d.next("disk: " + what)
	d.end.mu.Unlock()
	dice := d.dice(name)
	for part := range 2 {
		time.Sleep(between(dice, 0, 30*time.Millisecond))
		d.end.mu.Lock()
		d.survives(fmt.Sprint(name, part))
		d.end.mu.Unlock()
		if !d.alive() {
			return errKilled
		}
		if err := act(); err != nil {
			return err
		}
		act = func() error { return nil }
	}
	return nil
}

func (d *disk) Put(ctx context.Context, run int64, g *arena.Game) error {
	return d.write("put "+g.ID, func() error { return d.Store.Put(ctx, run, g) })
}

func (d *disk) Void(ctx context.Context, run int64, stalled *arena.Game, pair []string) error {
	return d.write("void "+stalled.ID, func() error {
		defer d.uncount()
		return d.Store.Void(ctx, run, stalled, pair)
	})
}

// Note takes no time: the run is locked meanwhile, and a simulated clock does not go on for who waits for a lock.
func (d *disk) Note(ctx context.Context, run int64, state, remark string) error {
	if !d.alive() {
		return errKilled
	}
	return d.Store.Note(ctx, run, state, remark)
}

func (d *disk) Exclude(ctx context.Context, run int64, worker string, only []string, reason string) (n int, err error) {
	err = d.write("exclude "+worker, func() error {
		defer d.uncount()
		n, err = d.Store.Exclude(ctx, run, worker, only, reason)
		return err
	})
	return n, err
}

func (d *disk) Incident(ctx context.Context, run int64, i arena.Incident) error {
	err := d.write(string(i.Kind)+i.Worker+i.Game, func() error { return d.Store.Incident(ctx, run, i) })
	if err == nil && (i.Kind == arena.Expelled || i.Kind == arena.Excluded) {
		d.end.mu.Lock()
		d.out[i.Worker] = time.Now()
		d.end.mu.Unlock()
	}
	return err
}

func (d *disk) Abandon(ctx context.Context, run int64) error {
	if !d.alive() {
		return errKilled
	}
	return d.Store.Abandon(ctx, run)
}

// durable are the games that are stored.
func (d *disk) durable() map[string]bool {
	is := map[string]bool{}
	for _, g := range d.Records() {
		is[g.ID] = true
	}
	return is
}

// uncount forgets games that are not stored any more.
func (d *disk) uncount() {
	is := d.durable()
	d.mu.Lock()
	defer d.mu.Unlock()
	for id := range d.counted {
		if !is[id] {
			delete(d.counted, id)
		}
	}
}

// Event implements arena.Watcher: a game is counted once, and after it is stored.
func (d *disk) Event(e arena.Event) {
	if e.Kind == arena.Warned {
		d.mu.Lock()
		d.said = append(d.said, fmt.Sprintf("%v %s", time.Since(d.begun), e.Text))
		d.mu.Unlock()
	}
	if e.Kind != arena.GameFinished || !d.alive() {
		return
	}
	stored := d.durable()[e.Job.ID]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counted[e.Job.ID] {
		d.breaks("game %s is counted twice", e.Job.ID)
	}
	if !stored {
		d.breaks("game %s is counted and not stored", e.Job.ID)
	}
	d.counted[e.Job.ID] = true
}

// host plays the run until it is over, however often it is killed or told to end.
func (s *simulation) host(ctx context.Context) (*arena.Summary, error) {
	for life := 0; ; life++ {
		dice := s.dice("host", life)
		ctx, kill := context.WithCancel(ctx)
		e := &end{wire: s.wire, name: "host", life: life, kill: kill, gentle: dice.IntN(3) == 0}
		if life < s.deaths {
			e.dies = 1 / float64(1+dice.IntN(300))
		}
		d := &disk{Store: s.store, end: e}
		d.counted = d.durable()
		s.outOfAll()
		before := func(ctx context.Context, slot int, job arena.Job) (*arena.Game, error) {
			return nil, rest(ctx, between(s.dice("own", life, slot, job.ID), time.Second, 20*time.Second))
		}
		own := &arenatest.Workers{Strength: strengths(), Before: before}
		run := &session.Runner{
			Plan: s.plan, Store: d, Worker: own.New, Watcher: d, Slots: s.slots,
			Remote: &Host{Conn: e, Home: "here", draw: s.dice("audits", life).Float64},
		}
		sum, err := run.Run(ctx)
		kill()
		s.said = append(append(s.said, fmt.Sprintf("%v the host ends", time.Since(s.begun))), d.said...)
		_, ended := e.is()
		e.Close()
		if !ended || !errors.Is(err, context.Canceled) {
			return sum, err
		}
		time.Sleep(between(dice, time.Second, 3*time.Minute))
	}
}

// outOfAll forgets who was expelled from an earlier start of the run, and not from all.
func (s *simulation) outOfAll() {
	incidents, _ := s.store.Incidents(context.Background(), 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.out)
	for _, i := range incidents {
		if i.Kind == arena.Excluded {
			s.out[i.Worker] = i.Time
		}
	}
}

// rest waits.
func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
