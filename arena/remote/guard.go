package remote

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"golang.org/x/time/rate"

	"thera/arena/remote/keys"
)

// Bounds of what a key may do at a server with a guard. The server bounds the rest: a
// message has at most mostMessage bytes, a connection at most maxSubs subscriptions and
// maxPending bytes that it does not read.
const (
	maxConns   = 8       // of one key at a time
	maxBegun   = 30      // connections of one key that begin within shutFor: what one sends that is short is not seen
	maxSubs    = 8 << 10 // a worker has one for each slot and run
	maxPending = 16 << 20
	maxRate    = 10_000   // messages of a connection in a second
	maxBytes   = 64 << 20 // of them
	lookEvery  = time.Second
	shutFor    = time.Minute // is a key that sent too much
	sayEvery   = 10 * time.Second
)

// Guard decides who may connect to a server, which is then reached over TLS only: workers with a
// key of the ring. A connection whose key was revoked is closed.
type Guard struct {
	Ring *keys.Ring

	// Revoked is called when a connection of a worker was closed because its key was revoked.
	Revoked func(name string)

	// Say shows who was turned away, and why.
	Say func(text string)

	nats *server.Server
	most int           // messages in a second
	look time.Duration // how often
	over chan struct{}
	all  sync.WaitGroup

	mu    sync.Mutex
	conns map[uint64]*guarded
	past  map[string]*past // by key
}

// guarded is a connection of a worker.
type guarded struct {
	name, public      string
	messages, bytes   int64 // that came
	mayCome, mayWeigh *rate.Limiter
}

// past is what is remembered of a key.
type past struct {
	begun []time.Time // its connections of late
	shut  time.Time   // it sent too much and is refused until then
	said  time.Time   // the last remark on it
}

// options are those of a server with this guard.
func (g *Guard) options(o *server.Options) (err error) {
	if o.TLSConfig, err = g.Ring.Server(); err != nil {
		return err
	}
	g.conns, g.past, g.over = map[uint64]*guarded{}, map[string]*past{}, make(chan struct{})
	g.most, g.look = cmp.Or(g.most, maxRate), cmp.Or(g.look, lookEvery)
	o.TLSTimeout, o.AuthTimeout = 10, 10
	o.CustomClientAuthentication, o.AlwaysEnableNonce = g, true
	o.MaxSubs, o.MaxPending = maxSubs, maxPending
	return nil
}

// watch looks after the connections until close.
func (g *Guard) watch(s *server.Server) {
	g.nats = s
	g.all.Go(func() {
		tick := time.NewTicker(g.look)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				for _, name := range g.inspect(now) {
					g.Revoked(name)
				}
			case <-g.over:
				return
			}
		}
	})
}

func (g *Guard) close() {
	close(g.over)
	g.all.Wait()
}

// Check implements server.Authentication: a key that has a name and has signed the
// server's question, or the host, which is in this process.
func (g *Guard) Check(c server.ClientAuthentication) bool {
	if at := c.RemoteAddress(); at != nil && at.Network() == "pipe" {
		return true
	}
	o := c.GetOpts()
	sig, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(o.Nkey)
	if err != nil || key.Verify(c.GetNonce(), sig) != nil {
		return false
	}
	name, ok := g.Ring.Name(o.Nkey)
	if !ok || !g.enter(c.GetID(), name, o.Nkey) {
		return false
	}
	publish, subscribe := May(name)
	c.RegisterUser(&server.User{Username: name, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
		Response: &server.ResponsePermission{MaxMsgs: 1, Expires: time.Minute},
	}})
	return true
}

// enter notes a connection, unless its key has too many.
func (g *Guard) enter(id uint64, name, public string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, p := time.Now(), g.past[public]
	if p == nil {
		p = &past{}
		g.past[public] = p
	}
	if now.Before(p.shut) {
		return false
	}
	p.begun = slices.DeleteFunc(p.begun, func(at time.Time) bool { return now.Sub(at) > shutFor })
	if p.begun = append(p.begun, now); len(p.begun) > maxBegun {
		p.shut = now.Add(shutFor)
		g.say(name, p, fmt.Sprintf("has connected %d times within %v: it is refused for as long", maxBegun, shutFor))
		return false
	}
	n := 0
	for other, c := range g.conns {
		if c.public == public && g.nats.GetClient(other) != nil {
			n++
		}
	}
	if n >= maxConns {
		g.say(name, p, fmt.Sprintf("has %d connections already: another one is refused", n))
		return false
	}
	g.conns[id] = &guarded{
		name: name, public: public,
		mayCome: rate.NewLimiter(rate.Limit(g.most), 2*g.most), mayWeigh: rate.NewLimiter(maxBytes, 2*maxBytes),
	}
	return true
}

// inspect closes connections that send too much, and those whose keys were revoked. It returns the
// names of these.
func (g *Guard) inspect(now time.Time) (revoked []string) {
	z, err := g.nats.Connz(&server.ConnzOptions{Limit: 1 << 20})
	if err != nil {
		return nil // the server ends
	}
	sent := map[uint64]*server.ConnInfo{}
	for _, c := range z.Conns {
		sent[c.Cid] = c
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, c := range g.conns {
		p, why := g.past[c.public], ""
		if is := sent[id]; is != nil {
			messages, bytes := is.InMsgs-c.messages, is.InBytes-c.bytes
			c.messages, c.bytes = is.InMsgs, is.InBytes
			if !c.mayCome.AllowN(now, int(messages)) || !c.mayWeigh.AllowN(now, int(bytes)) {
				why = fmt.Sprintf("it sent %d messages and %d KiB at once", messages, bytes>>10)
				p.shut = now.Add(shutFor)
			}
		}
		if _, ok := g.Ring.Name(c.public); !ok {
			why = "its key was revoked"
			revoked = append(revoked, c.name)
		}
		switch {
		case why != "":
			g.say(c.name, p, "is disconnected: "+why)
			_ = g.nats.DisconnectClientByID(id) // or it has gone
			fallthrough
		case g.nats.GetClient(id) == nil:
			delete(g.conns, id)
		}
	}
	return revoked
}

// say makes a remark on a worker, unless there was one a moment ago. The lock is held.
func (g *Guard) say(name string, p *past, text string) {
	if time.Since(p.said) < sayEvery {
		return
	}
	p.said = time.Now()
	g.Say("worker " + name + " " + text)
}
