package remote

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/remote/keys"
)

// link connects somebody under whose name answers come, and stays connected for ever.
func link(url, name string, say func(string), options ...nats.Option) (*nats.Conn, error) {
	nc, err := nats.Connect(url, append([]nats.Option{
		nats.Name(name), nats.CustomInboxPrefix(Inbox(name)), nats.Timeout(30 * time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("connection lost, trying again: %v", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { say("connected") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say(fmt.Sprintf("connection: %v", err)) }),
	}, options...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return nc, nil
}

// Place is a server for which a worker plays, and as whom.
type Place struct {
	URL  string
	Name string

	// Secrets are files that no engine may read: that of the invitation.
	Secrets []string

	invitation *keys.Invitation // nil: the URL has all that is needed
}

// FindPlace reads a URL or the name of an invitation's file. name is that of the worker; "" is
// the invitation's, or one that other workers do not have.
func FindPlace(at, name string) (*Place, error) {
	p := &Place{URL: at, Name: cmp.Or(name, ownName())}
	if strings.Contains(at, "://") {
		if err := CheckName(p.Name); err != nil {
			return nil, fmt.Errorf("--name: %w", err)
		}
		return p, nil
	}
	i, err := keys.Read(at)
	if err != nil {
		return nil, err
	}
	if name != "" && name != i.Name {
		return nil, fmt.Errorf("--name %s: the invitation is for worker %s", name, i.Name)
	}
	if at, err = filepath.Abs(at); err != nil {
		return nil, err
	}
	return &Place{URL: "tls://" + i.Address, Name: i.Name, Secrets: []string{at}, invitation: i}, CheckName(i.Name)
}

// ownName is a name that other workers do not have.
func ownName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%.40s-%d", regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(cmp.Or(host, "worker"), "-"), os.Getpid())
}

// Connect connects now or later, for ever. stop is called if that is in vain.
func (p *Place) Connect(say func(string), stop context.CancelCauseFunc) (*nats.Conn, error) {
	last := ""
	options := []nats.Option{
		nats.RetryOnFailedConnect(true),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { // by one goroutine
			var untrusted *tls.CertificateVerificationError
			if errors.As(err, &untrusted) || errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, nats.ErrNkeysNotSupported) {
				stop(fmt.Errorf("the server at %s is not believed: %w (is an invitation needed there, or another one?)", p.URL, err))
			} else if text := fmt.Sprintf("no connection, trying again: %v", err); text != last {
				last = text
				say(text)
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			err := fmt.Errorf("the connection is closed: %w", cmp.Or(nc.LastError(), nats.ErrConnectionClosed))
			if errors.Is(nc.LastError(), nats.ErrAuthorization) {
				err = fmt.Errorf("the server refuses worker %s: its key was revoked, is not known there, or is in use too often", p.Name)
			}
			stop(err)
		}),
	}
	if p.invitation != nil {
		own, err := credentials(p.invitation)
		if err != nil {
			return nil, err
		}
		options = append(options, own...)
	}
	return link(p.URL, p.Name, say, options...)
}

// credentials are what an invitation has for a connection.
func credentials(i *keys.Invitation) ([]nats.Option, error) {
	config, err := i.Client()
	if err != nil {
		return nil, err
	}
	key, err := i.Key()
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey()
	return []nats.Option{nats.Secure(config), nats.Nkey(public, key.Sign)}, err
}

// Reach is how workers reach a host: at a server in its process, or at servers of others.
type Reach struct {
	Listen string // HOST:PORT of a server in this process
	URL    string // of others
	Keys   string // a folder; "": the user's, if other machines can reach the server
}

// Used reports whether workers can reach the host at all.
func (r *Reach) Used() bool { return r.Listen != "" || r.URL != "" }

// ring is the folder of keys that the server wants; nil: it wants none.
func (r *Reach) ring() (*keys.Ring, error) {
	if r.Listen == "" || r.Keys == "" && loopback(r.Listen) {
		return nil, nil
	}
	return keys.Open(r.Keys)
}

// Secrets are what no engine of the host may read. They are there from now on.
func (r *Reach) Secrets() ([]string, error) {
	ring, err := r.ring()
	if ring == nil || err != nil {
		return nil, err
	}
	return []string{ring.Dir}, nil
}

// Connect connects a host, after it has started the server of its own.
func (r *Reach) Connect(h *Host, say func(string)) (end func(), err error) {
	name := "host-" + strconv.Itoa(os.Getpid())
	if r.URL != "" {
		if h.Conn, err = link(r.URL, name, say); err != nil {
			return nil, err
		}
		return h.Conn.Close, nil
	}
	ring, err := r.ring()
	if err != nil {
		return nil, err
	}
	var guard *Guard
	how := "thera worker nats://%s"
	if ring != nil {
		guard = &Guard{Ring: ring, Say: say, Revoked: func(name string) { h.Dismiss(name, "its key was revoked") }}
		how = "at %s, with invitations (thera invite NAME --for HOST:PORT)"
	}
	server, err := Serve(r.Listen, guard)
	if err != nil {
		return nil, err
	}
	say(fmt.Sprintf("workers: "+how, server.Address()))
	if h.Conn, err = link("", name, say, nats.InProcessServer(server.nats)); err != nil {
		server.Close()
		return nil, err
	}
	return func() {
		h.Conn.Close()
		server.Close()
	}, nil
}

// loopback reports whether only this machine can connect to an address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return true // whoever listens has a better error
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
