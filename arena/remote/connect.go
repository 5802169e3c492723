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
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/remote/keys"
)

// options returns the options of a connection that is made again whenever it is lost. Answers
// come to the inbox of name.
func options(name string, say func(string)) []nats.Option {
	return []nats.Option{
		nats.Name(name), nats.CustomInboxPrefix(Inbox(name)), nats.Timeout(30 * time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("connection lost, trying again: %v", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { say("connected") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say(fmt.Sprintf("connection: %v", err)) }),
	}
}

// Dial returns a worker with its connection, which is made now or later, and again whenever it
// is lost. Dial calls stop if no further attempt can succeed. at is a URL or the file of an
// invitation, which becomes a secret of the worker. name is the worker's name. If it is "", the
// name is that of the invitation, or one that other workers do not have.
func Dial(at, name string, say func(string), stop context.CancelCauseFunc) (*Worker, error) {
	w := &Worker{Name: name, Say: say}
	var opts []nats.Option
	if !strings.Contains(at, "://") {
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
		if opts, err = credentials(i); err != nil {
			return nil, err
		}
		w.Secrets, w.Name = []string{at}, i.Name
		at = "tls://" + i.Address
	} else if name == "" {
		host, _ := os.Hostname()
		host = regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(cmp.Or(host, "worker"), "-")
		w.Name = fmt.Sprintf("%.40s-%d", host, os.Getpid())
	}
	if err := CheckName(w.Name); err != nil {
		return nil, fmt.Errorf("--name: %w", err)
	}
	last := ""
	opts = append(opts, nats.RetryOnFailedConnect(true),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { // by one goroutine
			_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
			text := fmt.Sprintf("no connection, trying again: %v", err)
			if untrusted || errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, nats.ErrNkeysNotSupported) {
				stop(fmt.Errorf("the server at %s is not trusted: %w (does it need an invitation, or another one?)", at, err))
			} else if text != last {
				say(text)
			}
			last = text
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			err := fmt.Errorf("the connection is closed: %w", cmp.Or(nc.LastError(), nats.ErrConnectionClosed))
			if errors.Is(nc.LastError(), nats.ErrAuthorization) {
				err = fmt.Errorf("the server refuses worker %s: its key was revoked, is not known there, or is in use too often", w.Name)
			}
			stop(err)
		}))
	nc, err := nats.Connect(at, append(options(w.Name, say), opts...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	w.Conn = NATS{nc}
	return w, nil
}

// credentials returns the options of a connection with an invitation.
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

// Reach says how workers reach a host: at a server in its process, or at other servers.
type Reach struct {
	Listen string // HOST:PORT of a server in this process
	URL    string // of other servers
	Keys   string // folder of keys; if "", that of the user, unless only this machine can reach the server
}

// Used reports whether workers can reach the host at all.
func (r *Reach) Used() bool { return r.Listen != "" || r.URL != "" }

// Ring returns the folder of the keys that the server requires, nil if it requires none. No
// engine of the host may read the folder.
func (r *Reach) Ring() (*keys.Ring, error) {
	if r.Listen == "" || r.Keys == "" && loopback(r.Listen) {
		return nil, nil
	}
	return keys.Open(r.Keys)
}

// Connect returns a connection of the host. It first starts the server, unless r names others.
func (r *Reach) Connect(say func(string)) (nc *nats.Conn, end func(), err error) {
	opts := options(fmt.Sprintf("host~%d", os.Getpid()), say) // no worker can have this name
	if r.URL != "" {
		if nc, err = nats.Connect(r.URL, opts...); err != nil {
			return nil, nil, fmt.Errorf("--nats %s: %w", r.URL, err)
		}
		return nc, nc.Close, nil
	}
	var guard *Guard
	how := "thera worker nats://%s"
	ring, err := r.Ring()
	if ring != nil {
		guard = &Guard{Ring: ring, Say: say}
		how = "at %s, with invitations (thera invite NAME --for HOST:PORT)"
	}
	var server *Server
	if err == nil {
		server, err = Serve(r.Listen, guard)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("--workers: %w", err)
	}
	say(fmt.Sprintf("workers: "+how, server.Address()))
	nc, err = server.Connect(opts...)
	return nc, func() {
		nc.Close()
		server.Close()
	}, err
}

// loopback reports whether only this machine can connect to an address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return true // listening will return a better error
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
