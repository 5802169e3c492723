package remote

import (
	"context"
	"encoding/json"
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
	begun, calm                time.Time
	lost, late, twice, parting float64

	mu      sync.Mutex
	wrong   []string             // what does not hold
	out     map[string]time.Time // when workers were expelled, as far as this life of the host knows
	ears    []*ear
	answers map[string]chan *nats.Msg // to requests, by subject
	names   map[string]string         // of what is answered, by the subject of the answer
	sent    map[string]int
	seen    map[string]int // faults
	trace   uint64         // of all that was sent: the same for a run that repeats
}

// end is the Conn of a process, which is killed at one of its messages, or told to end if it is gentle.
type end struct {
	*wire
	name   string
	life   int
	dies   float64 // chance at a message
	gentle bool
	kill   func() // ends the process

	died  time.Time
	shut  bool
	asked int
}

// ear is a subscription.
type ear struct {
	*end
	words        []string
	queue        chan *nats.Msg
	stop, ending chan struct{}
}

func (w *wire) count(fault string) { w.seen[fault]++ }

// survives reports whether a process lives when it sends or gets a message, at which it may die. What else happens at
// this moment still happens: its order is not the seed's. The lock is held.
func (e *end) survives(name string) bool {
	if e.died.IsZero() && e.dice(e.name, e.life, "dies", name).Float64() < e.dies {
		e.died = time.Now()
		e.count(strings.TrimRight(e.name, "0123456789") + " killed")
		time.AfterFunc(1, e.kill)
	}
	return e.lives()
}

func (e *end) lives() bool {
	return !e.shut && (e.gentle || e.died.IsZero() || !time.Now().After(e.died))
}

// is reports how a process is: whether it lives, and whether it was killed or told to end.
func (e *end) is() (alive, ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lives(), !e.died.IsZero()
}

func (e *end) alive() bool {
	alive, _ := e.is()
	return alive
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
		var o order
		_ = json.Unmarshal(msg.Data, &o) // or it is no order
		name = words[len(words)-1] + " " + words[2] + " " + o.Pair
	}
	name = from + ": " + name
	return name
}

// next is a name with a number, another one each time. The lock is held.
func (w *wire) next(name string) string {
	w.sent[name]++
	return fmt.Sprint(name, " ", w.sent[name])
}

// PublishMsg implements Conn.
func (e *end) PublishMsg(msg *nats.Msg) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if words := strings.Split(msg.Subject, "."); words[len(words)-1] == "play" {
		if out := e.out[words[2]]; !out.IsZero() && time.Since(out) > 10*time.Second {
			e.wrong = append(e.wrong, fmt.Sprintf("worker %s is called, expelled since %v", words[2], out))
		}
	}
	name := e.next(e.named(e.name, msg))
	if !e.survives(name) {
		return nats.ErrConnectionClosed
	}
	if msg.Reply != "" {
		e.names[msg.Reply] = name
	}
	e.trace += e.dice("trace", time.Now().UnixNano(), name).Uint64()
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
		time.AfterFunc(wait, func() { e.arrive(name, &is) })
	}
	return nil
}

// arrive gives a message to those who hear it.
func (w *wire) arrive(name string, msg *nats.Msg) {
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
		if !ear.hears(msg.Subject) || w.apart(ear.name) || !ear.survives(w.next("arrives: "+name)) {
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
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
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
		if !e.survives(e.next("answered: " + e.names[reply])) {
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
	e.shut = true
}
