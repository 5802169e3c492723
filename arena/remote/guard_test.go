package remote

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/remote/keys"
	"thera/engine/gametest"
)

// guardedServer is a server with keys, and what it says.
type guardedServer struct {
	*Server
	t    testing.TB
	ring *keys.Ring

	mu   sync.Mutex
	said []string
}

func serveGuarded(t testing.TB, guard *Guard) *guardedServer {
	t.Helper()
	g := &guardedServer{t: t, ring: ringOf(t)}
	guard.Ring, guard.Say = g.ring, func(text string) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.said = append(g.said, text)
	}
	var err error
	if g.Server, err = Serve("127.0.0.1:0", guard); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func ringOf(t testing.TB) *keys.Ring {
	t.Helper()
	r, err := keys.Open(t.TempDir())
	gametest.OK(t, err)
	return r
}

func (g *guardedServer) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.said, "\n")
}

func inviteTo(t testing.TB, r *keys.Ring, name string) *keys.Invitation {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	err := r.Invite(name, "127.0.0.1:1", file)
	i, failed := keys.Read(file)
	gametest.OK(t, errors.Join(err, failed))
	return i
}

// login connects with an invitation. A refusal is final.
func (g *guardedServer) login(i *keys.Invitation, more ...nats.Option) (*nats.Conn, error) {
	opts, err := credentials(i)
	gametest.OK(g.t, err)
	opts = append(opts, nats.CustomInboxPrefix(Inbox(i.Name)), nats.Timeout(time.Minute), nats.NoReconnect())
	nc, err := nats.Connect("tls://"+g.Address(), append(opts, more...)...)
	if err == nil {
		g.t.Cleanup(nc.Close)
	}
	return nc, err
}

// worker is the connection of a worker that is invited now.
func (g *guardedServer) worker(name string, more ...nats.Option) *nats.Conn {
	nc, err := g.login(inviteTo(g.t, g.ring, name), more...)
	gametest.OK(g.t, err)
	return nc
}

// A server with keys lets in whom it knows, over TLS, and its host.
func TestKeysAreRequired(t *testing.T) {
	g := serveGuarded(t, &Guard{})
	good, other := inviteTo(t, g.ring, "lab1"), inviteTo(t, ringOf(t), "lab1")
	if _, err := g.login(good); err != nil {
		t.Fatal(err)
	}
	host, err := g.Connect()
	gametest.OK(t, err)
	defer host.Close()
	if _, err := host.SubscribeSync(">"); err != nil || host.Flush() != nil || host.LastError() != nil {
		t.Errorf("the host: %v, %v", err, host.LastError())
	}

	if _, err := g.login(other); !errors.As(err, new(*tls.CertificateVerificationError)) {
		t.Errorf("a server of another host: %v", err)
	}
	gone, wrong := inviteTo(t, g.ring, "gone"), *good
	wrong.Seed = other.Seed
	gametest.OK(t, g.ring.Revoke("gone"))
	signed := func(i *keys.Invitation, by *keys.Invitation) nats.Option {
		key, err := i.Key()
		liar, failed := by.Key()
		public, unknown := key.PublicKey()
		gametest.OK(t, errors.Join(err, failed, unknown))
		return nats.Nkey(public, liar.Sign)
	}
	for name, option := range map[string]nats.Option{
		"no key":                 nats.Name("lab1"),
		"a password":             nats.UserInfo("lab1", "x"),
		"a signature of another": signed(good, other),
		"a key of another host":  signed(&wrong, &wrong),
		"a revoked key":          signed(gone, gone),
	} {
		config, err := good.Client()
		gametest.OK(t, err)
		if nc, err := nats.Connect("tls://"+g.Address(), nats.Secure(config), option, nats.NoReconnect(), nats.Timeout(time.Minute)); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v", name, err)
			nc.Close()
		}
	}
}

// has waits until the server has so many connections: it takes a moment to notice those that end.
func (g *guardedServer) has(n int) {
	for g.nats.NumClients() != n {
		time.Sleep(time.Millisecond)
	}
}

// What a key uses is bounded: what it sends, how many connections it has, and how many short ones, of which
// nobody sees what they send. Others come and go beside it.
func TestHoleShortConnections(t *testing.T) {
	for name, short := range map[string]bool{"at a time": false, "one after the other": true} {
		g := serveGuarded(t, &Guard{look: time.Hour})
		i := inviteTo(t, g.ring, "lab1")
		for n := 1; ; n++ {
			nc, err := g.login(i)
			if errors.Is(err, nats.ErrAuthorization) && n > maxOver/2 {
				break
			}
			if err != nil {
				t.Fatalf("%s: connection %d: %v", name, n, err)
			}
			if short {
				nc.Close()
				g.has(0)
			}
		}
		if _, err := g.login(inviteTo(t, g.ring, "lab2")); err != nil {
			t.Errorf("another worker: %v", err)
		}
		if said := g.text(); said != "worker lab1 sends too much, or has too many connections: it is refused for a while" {
			t.Errorf("%s: said %q", name, said)
		}
	}
}

// Strangers do not use up the files of the host, with which it starts engines, and leave room when they go.
func TestHoleStrangers(t *testing.T) {
	const most = 5
	g := serveGuarded(t, &Guard{most: most})
	var strangers []net.Conn
	for n := range 2 * most {
		c, err := net.Dial("tcp", g.Address())
		gametest.OK(t, err)
		defer c.Close()
		if strangers = append(strangers, c); n < most {
			g.has(n + 1)
		} else if said, err := io.ReadAll(c); !strings.Contains(string(said), "-ERR 'maximum connections exceeded'") {
			t.Errorf("stranger %d is told %q, %v", n, said, err)
		}
	}
	for _, c := range strangers {
		c.Close()
	}
	g.has(0)
	g.worker("lab1")
}

// Who sends more than a worker can need is disconnected and refused for a while.
func TestFloods(t *testing.T) {
	g := serveGuarded(t, &Guard{rate: 50, look: 10 * time.Millisecond})
	i := inviteTo(t, g.ring, "lab1")
	closed := make(chan struct{})
	nc, err := g.login(i, nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	gametest.OK(t, err)
	for flooding := true; flooding; {
		if err := nc.Publish(helloSubject("lab1"), []byte("x")); err != nil {
			flooding = false
		}
	}
	<-closed
	if _, err := g.login(i); err == nil { // it is refused, or closed at the next look
		t.Error("it came back")
	}
	if _, err := g.login(inviteTo(t, g.ring, "lab2")); err != nil {
		t.Errorf("another worker: %v", err)
	}
	if said := g.text(); !strings.HasPrefix(said, "worker lab1 sends too much") {
		t.Errorf("said %q", said)
	}
}
