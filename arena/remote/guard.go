package remote

import (
	"cmp"
	"encoding/base64"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"thera/arena/remote/keys"
)

// What a worker uses is counted for its key: a message that it sends is one, and so are 8 KiB; a
// connection is as much as two seconds, and each second of it a tenth of one. So a key has ten
// connections, or some more for a moment. It is refused while it has used far more than it may.
const (
	maxRate = 10_000 // of a key in a second
	maxOver = 60     // seconds ahead
)

// Guard decides who may connect to a server, which is then reached over TLS only: workers with a
// key of the ring. A connection is closed whose key was revoked, or uses too much.
type Guard struct {
	Ring *keys.Ring

	// Revoked is called when a connection of a worker was closed because its key was revoked.
	Revoked func(name string)

	// Say shows who was turned away, and why.
	Say func(text string)

	nats *server.Server
	rate float64       // in a second
	look time.Duration // how often
	over chan struct{}
	all  sync.WaitGroup

	mu   sync.Mutex
	used map[string]*used   // by key
	sent map[uint64]float64 // by connection, until the last look
}

// used is what a key has used.
type used struct {
	name  string
	level float64 // less what it may
	at    time.Time
}

// options are those of a server with this guard.
func (g *Guard) options(o *server.Options) (err error) {
	g.used, g.over = map[string]*used{}, make(chan struct{})
	g.rate, g.look = cmp.Or(g.rate, maxRate), cmp.Or(g.look, time.Second)
	o.TLSTimeout, o.AuthTimeout = 10, 10
	o.CustomClientAuthentication, o.AlwaysEnableNonce = g, true
	o.MaxSubs, o.MaxPending = 8<<10, 16<<20
	o.TLSConfig, err = g.Ring.Server()
	return err
}

// watch looks after the connections until close.
func (g *Guard) watch(s *server.Server) {
	g.nats = s
	g.all.Go(func() {
		tick := time.NewTicker(g.look)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				for _, name := range g.inspect() {
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
	if !ok || !g.enter(name, o.Nkey) {
		return false
	}
	publish, subscribe := May(name)
	c.RegisterUser(&server.User{Username: name, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
		Response: &server.ResponsePermission{MaxMsgs: 1, Expires: time.Minute},
	}})
	return true
}

// enter reports whether a key may have one more connection.
func (g *Guard) enter(name, public string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	u := g.used[public]
	if u == nil {
		u = &used{name: name}
		g.used[public] = u
	}
	return g.spend(u, 2*g.rate)
}

// spend reports whether a key may use so much. The lock is held.
func (g *Guard) spend(u *used, n float64) bool {
	now, most := time.Now(), maxOver*g.rate
	was := max(0, u.level-now.Sub(u.at).Seconds()*g.rate)
	u.level, u.at = min(was+n, 2*most), now
	if was <= most && u.level > most {
		u.level = 2 * most // for a minute, however slowly it comes back
		g.Say("worker " + u.name + " sends too much, or has too many connections: it is refused for a while")
	}
	return u.level <= most
}

// inspect closes connections that use too much, and those whose keys were revoked. It returns the
// names of these.
func (g *Guard) inspect() (revoked []string) {
	z, err := g.nats.Connz(&server.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		return nil // the server ends
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	sent := map[uint64]float64{}
	for _, c := range z.Conns {
		u := g.used[c.AuthorizedUser]
		if u == nil {
			continue // the host
		}
		sent[c.Cid] = float64(c.InMsgs) + float64(c.InBytes)/(8<<10)
		may := g.spend(u, sent[c.Cid]-g.sent[c.Cid]+g.rate*g.look.Seconds()/10)
		if _, ok := g.Ring.Name(c.AuthorizedUser); !ok {
			revoked, may = append(revoked, u.name), false
		}
		if !may {
			_ = g.nats.DisconnectClientByID(c.Cid) // or it has gone
		}
	}
	g.sent = sent
	return revoked
}
