package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/queue"
)

const (
	mostWaiting = 1 << 17          // asks that wait for a lease
	mostWait    = 10 * time.Second // of an ask
	dealers     = 4                // asks at the queue at a time
)

// dealer gives leases of the queue to workers that ask. It knows who has which, so that
// nobody else can end it, and takes it back when its worker has gone.
type dealer struct {
	queue queue.Queue
	asks  chan *ask
	skip  func(m *Member, l queue.Lease) bool // whether a lease is not for a worker; nil: each is

	mu     sync.Mutex
	leases map[*Member]map[string]*dealt // of each worker, by leaseName
	busy   map[*Member]int               // how many leases a worker has or waits for
}

// ask is a worker that waits for a lease.
type ask struct {
	member *Member
	until  time.Time
	plays  func() bool // whether the worker still does
	answer func(deal)
}

// dealt is a lease in the hands of a worker.
type dealt struct {
	queue.Taken
	since time.Time
}

func newDealer(q queue.Queue) *dealer {
	return &dealer{queue: q, asks: make(chan *ask, mostWaiting), leases: map[*Member]map[string]*dealt{}, busy: map[*Member]int{}}
}

// leaseName is how a worker and its host call a lease.
func leaseName(l queue.Lease) string { return fmt.Sprintf("%d.%d", l.Place, l.Attempt) }

// run answers asks, the oldest first, until ctx ends.
func (d *dealer) run(ctx context.Context) {
	var all sync.WaitGroup
	for range dealers {
		all.Go(func() {
			for {
				select {
				case a := <-d.asks:
					d.deal(ctx, a)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	all.Wait()
	d.mu.Lock()
	members := slices.Collect(maps.Keys(d.leases))
	d.mu.Unlock()
	for _, m := range members {
		d.gone(m)
	}
}

// deal waits for a lease and gives it to the worker that asked.
func (d *dealer) deal(ctx context.Context, a *ask) {
	ctx, cancel := context.WithDeadline(ctx, a.until)
	defer cancel()
	answer := deal{}
	if ctx.Err() == nil {
		taken, err := d.queue.Take(ctx)
		for err == nil && d.skip != nil && d.skip(a.member, taken.Lease()) {
			taken.Done() // it is offered again, behind the others
			taken, err = d.queue.Take(ctx)
		}
		switch {
		case err == nil:
			l := taken.Lease()
			answer.Lease = &l
			d.mu.Lock()
			if d.leases[a.member] == nil {
				d.leases[a.member] = map[string]*dealt{}
			}
			d.leases[a.member][leaseName(l)] = &dealt{taken, time.Now()}
			d.mu.Unlock()
		case ctx.Err() == nil: // closed, or not to be reached now
			answer.Later = true
		}
	}
	if answer.Lease == nil {
		d.mu.Lock()
		d.less(a.member)
		d.mu.Unlock()
	} else if !a.plays() {
		d.gone(a.member)
		return
	}
	a.answer(answer)
}

// less notes that a worker waits for one lease less, or has one less. The lock is held.
func (d *dealer) less(m *Member) {
	if d.busy[m]--; d.busy[m] <= 0 {
		delete(d.busy, m)
	}
}

// mostLeases is how many leases a worker may have for each of its slots: it plays one
// while the games of the other one are being stored.
const mostLeases = 2

// ask lets a worker wait for a lease. It returns false if it has, or waits for, as many
// as it may have.
func (d *dealer) ask(a *ask) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[a.member] >= mostLeases*a.member.Slots {
		return false
	}
	select {
	case d.asks <- a:
		d.busy[a.member]++
		return true
	default:
		return false
	}
}

// end ends a lease of a worker: its games are stored, or it goes to the next one.
func (d *dealer) end(m *Member, name string, stored bool) {
	d.mu.Lock()
	l, mine := d.leases[m][name]
	if mine {
		d.forget(m, name)
	}
	d.mu.Unlock()
	switch {
	case mine && stored:
		l.Done()
	case mine:
		l.Return()
	}
}

// forget forgets a lease of a worker. The lock is held.
func (d *dealer) forget(m *Member, name string) {
	if delete(d.leases[m], name); len(d.leases[m]) == 0 {
		delete(d.leases, m)
	}
	d.less(m)
}

// takeBack returns leases of a worker.
func (d *dealer) takeBack(m *Member, which func(*dealt) bool) {
	d.mu.Lock()
	var back []*dealt
	for name, l := range d.leases[m] {
		if which(l) {
			back = append(back, l)
			d.forget(m, name)
		}
	}
	d.mu.Unlock()
	for _, l := range back {
		l.Return()
	}
}

// gone returns the leases of a worker.
func (d *dealer) gone(m *Member) { d.takeBack(m, func(*dealt) bool { return true }) }

// keep returns those leases of a worker that it does not have: the answer was lost, or its
// word that it gives one back.
func (d *dealer) keep(m *Member, has []string) {
	d.takeBack(m, func(l *dealt) bool {
		return time.Since(l.since) > answerWait && !slices.Contains(has, leaseName(l.Lease()))
	})
}

// wanted is a worker's ask for a lease.
type wanted struct {
	Session string        `json:"session"`
	Wait    time.Duration `json:"wait"` // for which it waits

	Joined bool     `json:"joined,omitempty"` // as in hello
	Leases []string `json:"leases,omitempty"`
}

// deal is the answer: a lease, or none.
type deal struct {
	Lease   *queue.Lease `json:"lease,omitempty"`
	Later   bool         `json:"later,omitempty"`   // there is none now: ask again in a while
	Unknown bool         `json:"unknown,omitempty"` // the host does not know the worker: it must join
}

// back is a lease that a worker gives back.
type back struct {
	Session string `json:"session"`
	Lease   string `json:"lease"`
}

// member is the worker that a message is from, if it plays: a worker of its name in
// this session.
func (h *Host) member(msg *nats.Msg, session string) *Member {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.members[nameIn(msg.Subject)]
	if m == nil || m.out != "" || m.session != session {
		return nil
	}
	return m
}

// hear notes that a worker still plays, and which leases it has.
func (h *Host) hear(m *Member, leases []string) {
	h.mu.Lock()
	m.seen = time.Now()
	h.mu.Unlock()
	h.dealer.keep(m, leases)
}

// lease answers a worker that asks for a lease.
func (h *Host) lease(msg *nats.Msg) {
	var w wanted
	if err := json.Unmarshal(msg.Data, &w); err != nil {
		return
	}
	m := h.member(msg, w.Session)
	if m == nil {
		h.answer(msg, deal{Unknown: true})
		return
	}
	if w.Joined {
		h.hear(m, w.Leases)
	}
	a := &ask{
		member: m, until: time.Now().Add(min(max(w.Wait, 0), mostWait)),
		plays:  func() bool { return h.member(msg, w.Session) == m },
		answer: func(d deal) { h.answer(msg, d) },
	}
	if !h.dealer.ask(a) {
		h.answer(msg, deal{Later: true})
	}
}

// back takes a lease back that a worker does not play to its end.
func (h *Host) back(msg *nats.Msg) {
	var b back
	if err := json.Unmarshal(msg.Data, &b); err != nil {
		return
	}
	if m := h.member(msg, b.Session); m != nil {
		h.dealer.end(m, b.Lease, false)
	}
}

// answer answers a message, where a worker waits for answers and nowhere else: a host may
// publish what workers must not.
func (h *Host) answer(msg *nats.Msg, v any) {
	if strings.HasPrefix(msg.Reply, "_INBOX") {
		_ = h.Conn.Publish(msg.Reply, encode(v)) // or it is asked again
	}
}
