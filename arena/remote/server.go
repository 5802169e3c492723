package remote

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"thera/arena/remote/keys"
)

// Server is a NATS server in this process.
type Server struct {
	nats *server.Server
	end  context.CancelFunc
	all  sync.WaitGroup
}

// mostMessage is the largest size of a message in bytes.
const mostMessage = 8 << 20

// Serve starts a server at an address HOST:PORT. Port 0 takes a free port. guard decides who may
// connect. If it is nil, everybody who reaches the server may do everything.
func Serve(address string, guard *Guard) (*Server, error) {
	// The server does not say why it cannot listen, so that is tried first.
	probe, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for workers: %w", err)
	}
	at := probe.Addr().(*net.TCPAddr)
	host, _, _ := net.SplitHostPort(address)
	options := &server.Options{
		ServerName: "thera", Host: host, Port: at.Port, MaxPayload: mostMessage, NoSigs: true, NoLog: true,
	}
	if err := probe.Close(); err != nil {
		return nil, err
	}
	if guard != nil {
		if err := guard.options(options); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &Server{end: cancel}
	if e.nats, err = server.NewServer(options); err != nil {
		return nil, fmt.Errorf("server for workers: %w", err)
	}
	e.nats.Start()
	if guard != nil {
		e.all.Go(func() {
			for tick := time.Tick(guard.look); ; {
				select {
				case <-tick:
					guard.inspect(e.nats)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	if !e.nats.ReadyForConnections(30 * time.Second) {
		e.Close()
		return nil, fmt.Errorf("no server for workers at %s after 30 s", address)
	}
	return e, nil
}

// Address returns the address of the server, HOST:PORT.
func (s *Server) Address() string { return s.nats.Addr().String() }

// Connect returns a connection within this process.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(options, nats.InProcessServer(s.nats))...)
}

// Close ends the server.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	s.end()
	s.all.Wait()
}

// What a worker uses is counted for its key. A message counts as one, and so do 8 KiB. A new
// connection counts as two seconds of messages, and each second of a connection as a tenth of a
// second of messages. So a key can keep ten connections, and has more only for a moment. A key
// that is far over its rate is refused.
const (
	maxRate = 10_000 // of a key in a second
	maxOver = 60     // seconds that a key may be ahead of its rate
)

// mostConns bounds the connections at a time. Each takes a file of the host, which also needs
// files for engines. Some systems allow as few as 8,192 files.
const mostConns = 4096

// Guard lets only workers with a key of the ring connect to a server, and only over TLS. It
// closes connections of keys that were revoked or that use too much.
type Guard struct {
	Ring *keys.Ring
	Say  func(text string) // reports who was refused, and why

	rate float64       // what a key may use in a second
	look time.Duration // how often it looks at the connections
	most int           // connections

	mu   sync.Mutex
	used map[string]*used   // by key
	sent map[uint64]float64 // what each connection had sent at the last look
}

// used says how much a key has used.
type used struct {
	name  string
	level float64 // minus what it may use
	at    time.Time
}

// options sets the options of a server with this guard.
func (g *Guard) options(o *server.Options) (err error) {
	g.used, g.rate, g.look = map[string]*used{}, cmp.Or(g.rate, maxRate), cmp.Or(g.look, time.Second)
	o.TLSTimeout, o.AuthTimeout = 10, 10
	o.CustomClientAuthentication, o.AlwaysEnableNonce = g, true
	o.MaxConn, o.MaxSubs, o.MaxPending = cmp.Or(g.most, mostConns), 8<<10, 16<<20
	o.TLSConfig, err = g.Ring.Server()
	return err
}

// Check implements server.Authentication. It accepts a key of the ring that has signed the
// server's nonce, and the host, which connects within this process.
func (g *Guard) Check(c server.ClientAuthentication) bool {
	if at := c.RemoteAddress(); at != nil && at.Network() == "pipe" {
		return true
	}
	o := c.GetOpts()
	name, ok := g.Ring.Name(o.Nkey)
	key, err := nkeys.FromPublicKey(o.Nkey)
	if !ok || err != nil {
		return false
	}
	sig, err := base64.RawURLEncoding.DecodeString(o.Sig)
	if err != nil || key.Verify(c.GetNonce(), sig) != nil || !g.enter(name, o.Nkey) {
		return false
	}
	publish, subscribe := may(name)
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
	if g.used[public] == nil {
		g.used[public] = &used{name: name}
	}
	return g.spend(g.used[public], 2*g.rate)
}

// spend counts what a key uses and reports whether it may. The caller holds the lock.
func (g *Guard) spend(u *used, n float64) bool {
	now, most := time.Now(), maxOver*g.rate
	was := max(0, u.level-now.Sub(u.at).Seconds()*g.rate)
	u.level, u.at = min(was+n, 2*most), now
	if was <= most && u.level > most {
		u.level = 2 * most // refused for a minute, however slowly it comes back
		g.Say("worker " + u.name + " sends too much, or has too many connections: it is refused for a while")
	}
	return u.level <= most
}

// inspect closes the connections of keys that use too much or were revoked.
func (g *Guard) inspect(s *server.Server) {
	z, err := s.Connz(&server.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		return // because the server ends
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
		known := g.Ring.Has(c.AuthorizedUser)
		if !known {
			g.Say("worker " + u.name + " is disconnected: its key was revoked")
		}
		if !g.spend(u, sent[c.Cid]-g.sent[c.Cid]+g.rate*g.look.Seconds()/10) || !known {
			_ = s.DisconnectClientByID(c.Cid) // an error means that it has gone
		}
	}
	g.sent = sent
}
