package remote

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// chance draws by a seed and by what is drawn for, and not in the order of the draws: that is for the
// scheduler to choose.
type chance uint64

func (c chance) dice(of ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, of...)
	return rand.New(rand.NewPCG(uint64(c), h.Sum64()))
}

// between is a time from least to most.
func between(dice *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(dice.Int64N(int64(most-least)+1))
}

// wire is a network in memory, which loses, delays and doubles messages and parts machines until it is calm. A
// message has a name: who sends what to whom, and how often it has done so. What becomes of it follows from that.
type wire struct {
	chance
	calm                       time.Time
	lost, late, twice, parting float64

	mu      sync.Mutex
	ears    []*ear
	answers map[string]chan *nats.Msg // to requests, by subject
	names   map[string]string         // of what is answered, by the subject of the answer
	sent    map[string]int
	seen    map[string]int // faults
	trace   uint64         // of all that was sent: the same for a run that repeats
}

// end is the Conn of a process, which is killed at one of its messages.
type end struct {
	*wire
	name string
	left int    // messages until it is killed, or, if it is gentle, told to end; 0: never
	kill func() // ends the process

	dead, gentle bool
	asked        int
}

// ear is a subscription.
type ear struct {
	*end
	words        []string
	queue        chan *nats.Msg
	stop, ending chan struct{}
}

func (w *wire) count(fault string) { w.seen[fault]++ }

// touches counts a message of a process, and reports whether that lives. The lock is held.
func (e *end) touches() bool {
	if e.left > 0 && !e.dead {
		if e.left--; e.left == 0 {
			e.dead = !e.gentle
			e.count(strings.TrimRight(e.name, "0123456789") + " killed")
			go e.kill()
		}
	}
	return !e.dead
}

func (e *end) alive() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.dead
}

// apart reports whether a machine is parted from others now.
func (w *wire) apart(name string) bool {
	now := time.Now()
	return now.Before(w.calm) && w.dice("apart", name, now.Unix()/20).Float64() < w.parting
}

// named is the name of a message.
func (w *wire) named(from string, msg *nats.Msg) string {
	words := strings.Split(msg.Subject, ".")
	name := strings.Join(words[:2], ".")
	if of := w.names[msg.Subject]; of != "" {
		name = "answer to " + of
	} else if words[1] != "runs" {
		name = words[len(words)-1] + " " + words[2]
	}
	name = from + ": " + name
	w.sent[name]++
	return fmt.Sprint(name, " ", w.sent[name])
}

// PublishMsg implements Conn.
func (e *end) PublishMsg(msg *nats.Msg) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.touches() {
		return nats.ErrConnectionClosed
	}
	name := e.named(e.name, msg)
	if msg.Reply != "" {
		e.names[msg.Reply] = name
	}
	h := fnv.New64a()
	fmt.Fprint(h, e.trace, time.Now().UnixNano(), name)
	e.trace = h.Sum64()
	dice, rough := e.dice("message", name), time.Now().Before(e.calm)
	copies := 1
	if rough && dice.Float64() < e.twice {
		copies = 2
		e.count("doubled")
	}
	for range copies {
		wait := between(dice, 100*time.Microsecond, 20*time.Millisecond)
		lost, late := dice.Float64() < e.lost, dice.Float64() < e.late
		if e.apart(e.name) {
			e.count("parted")
			lost, late = dice.IntN(2) == 0, true
		}
		if rough && late {
			e.count("late")
			wait += between(dice, 0, time.Duration(dice.Int64N(int64(3*time.Minute))))
		}
		if rough && lost {
			e.count("lost")
			continue
		}
		is := *msg
		time.AfterFunc(wait, func() { e.arrive(&is) })
	}
	return nil
}

// arrive gives a message to those who hear it.
func (w *wire) arrive(msg *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if answer := w.answers[msg.Subject]; answer != nil {
		select {
		case answer <- msg:
		default: // it is not the first one
		}
		return
	}
	for _, ear := range w.ears {
		if !ear.hears(msg.Subject) || w.apart(ear.name) || !ear.touches() {
			continue
		}
		is := *msg
		select {
		case ear.queue <- &is:
		default:
			w.count("overrun")
		}
	}
}

func (e *ear) hears(subject string) bool {
	words := strings.Split(subject, ".")
	return slices.EqualFunc(words, e.words, func(word, mine string) bool { return mine == "*" || mine == word })
}

// RequestWithContext implements Conn.
func (e *end) RequestWithContext(ctx context.Context, subject string, data []byte) (*nats.Msg, error) {
	answer := make(chan *nats.Msg, 1)
	e.mu.Lock()
	e.asked++
	reply := fmt.Sprintf("_INBOX.%s.%p.%d", e.name, e, e.asked)
	heard := slices.ContainsFunc(e.ears, func(other *ear) bool { return other.hears(subject) })
	e.answers[reply] = answer
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.answers, reply)
	}()
	if !heard && !e.apart(e.name) {
		return nil, nats.ErrNoResponders
	}
	if err := e.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: data}); err != nil {
		return nil, err
	}
	select {
	case msg := <-answer:
		e.mu.Lock()
		defer e.mu.Unlock()
		if !e.touches() {
			return nil, nats.ErrConnectionClosed
		}
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// MaxPayload implements Conn.
func (e *end) MaxPayload() int64 { return mostMessage }

// Listen implements Conn.
func (e *end) Listen(subject string, h nats.MsgHandler) (stop func(), err error) {
	own := &ear{end: e, words: strings.Split(subject, "."), queue: make(chan *nats.Msg, 1000)}
	own.stop, own.ending = make(chan struct{}), make(chan struct{})
	e.mu.Lock()
	e.ears = append(e.ears, own)
	e.mu.Unlock()
	go func() {
		defer close(own.ending)
		for {
			select {
			case <-own.stop:
				return
			case msg := <-own.queue:
				if e.alive() {
					h(msg)
				}
			}
		}
	}()
	return func() {
		e.mu.Lock()
		e.ears = slices.DeleteFunc(e.ears, func(other *ear) bool { return other == own })
		e.mu.Unlock()
		close(own.stop)
		<-own.ending
	}, nil
}

// Close implements Conn.
func (e *end) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dead = true
}
