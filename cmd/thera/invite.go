package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"thera/arena/keys"
	"thera/arena/remote"
	"thera/arena/report"
	"thera/arena/source"
)

// defaultPort is that of NATS.
const defaultPort = "4222"

func keysFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "keys", "", "the `DIR` with this host's certificate and the keys of its workers (default: thera/keys in the user's configuration)")
}

// keysDir is the folder that --keys names; "" is the default.
func keysDir(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := keys.DefaultDir()
	if err != nil {
		return "", fmt.Errorf("%w (--keys names one)", err)
	}
	return dir, nil
}

// ring opens a folder of keys.
func ring(dir string) (*keys.Ring, error) {
	dir, err := keysDir(dir)
	if err != nil {
		return nil, err
	}
	return keys.Open(dir)
}

// inviteCommand makes the key of a worker.
func inviteCommand() *cobra.Command {
	var address, out, dir string
	cmd := &cobra.Command{
		Use:   "invite NAME",
		Short: "Make the key of a worker: a file with which it may connect to this host",
		Long: "Writes an invitation, a file with the secret of one worker, the address of this host, and the certificate by\n" +
			"which the worker knows it. Copy the file to the worker's machine and keep it secret. This host keeps only\n" +
			"the public key. Hosts that are running accept it at once.",
		Example: "  thera worker invite lab1 --for 127.0.0.1:4222\n  thera worker invite lab2 --for arena.example:4222 --out lab2.invitation",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if err := remote.CheckName(name); err != nil {
				return err
			}
			if address == "" {
				machine, err := os.Hostname()
				if err != nil {
					return fmt.Errorf("%w: say where this host is (--for HOST:PORT)", err)
				}
				address = net.JoinHostPort(machine, defaultPort)
			}
			if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" || port == "0" {
				return fmt.Errorf("--for %q: expected HOST:PORT, where workers find this host", address)
			}
			r, err := ring(dir)
			if err != nil {
				return err
			}
			file := cmp.Or(out, name+".invitation")
			if err := r.Invite(name, address, func(i *keys.Invitation) error { return i.Write(file) }); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s lets worker %s connect to %s. On its machine: thera worker %s\n", file, name, address, strings.Join(quoteAll([]string{file}), " "))
			return nil
		},
	}
	cmd.Flags().StringVar(&address, "for", "", "where the worker finds this host: `HOST:PORT` (default: this machine's name and port "+defaultPort+")")
	cmd.Flags().StringVar(&out, "out", "", "the `FILE` to write (default: NAME.invitation)")
	keysFlag(cmd, &dir)
	return cmd
}

// revokeCommand ends the key of a worker.
func revokeCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "revoke NAME",
		Short: "End the key of a worker: hosts that are running disconnect it",
		Long: "Ends the key of a worker. Hosts that are running disconnect it within two seconds, and its pairs go to other\n" +
			"workers. Games that it has handed in stay.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := remote.CheckName(args[0]); err != nil {
				return err
			}
			r, err := ring(dir)
			if err != nil {
				return err
			}
			if err := r.Revoke(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "worker %s is revoked\n", args[0])
			return nil
		},
	}
	keysFlag(cmd, &dir)
	return cmd
}

// invitedCommand lists the keys of workers.
func invitedCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the workers that were invited, and those that were revoked",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := ring(dir)
			if err != nil {
				return err
			}
			list, damaged := r.List()
			out := cmd.OutOrStdout()
			if asJSON {
				enc := report.NewJSON(out)
				for _, key := range list {
					if err := enc.Encode(key); err != nil {
						return err
					}
				}
			} else if err := report.KeyTable(list).Fit(columns(cmd)).Write(out, report.Terminal); err != nil {
				return err
			}
			if damaged != nil {
				return &exitError{code: exitFindings, err: damaged}
			}
			return nil
		},
	}
	jsonFlag(cmd, &asJSON, eachObject)
	keysFlag(cmd, &dir)
	return cmd
}

// shippedDir is where engines of others are kept.
func shippedDir() (string, error) {
	dir, err := source.CacheDir()
	return filepath.Join(dir, "shipped"), err
}

// workplace is a server for which a worker plays, and as whom.
type workplace struct {
	url, name  string
	invitation *keys.Invitation // nil: the URL has all that is needed
	tls        *tls.Config
}

// place reads the argument of thera worker: a URL or an invitation.
func (o *workerOptions) place(at string) (*workplace, error) {
	w := &workplace{url: at, name: cmp.Or(o.name, ownName())}
	if !strings.Contains(at, "://") {
		i, err := keys.Read(at)
		if err != nil {
			return nil, err
		}
		if o.name != "" && o.name != i.Name {
			return nil, fmt.Errorf("--name %s: the invitation is for worker %s", o.name, i.Name)
		}
		if w.tls, err = i.Client(); err != nil {
			return nil, err
		}
		if at, err = filepath.Abs(at); err != nil {
			return nil, err
		}
		o.secret = append(o.secret, at)
		w.url, w.name, w.invitation = "tls://"+i.Address, i.Name, i
	}
	if err := remote.CheckName(w.name); err != nil {
		return nil, fmt.Errorf("--name: %w", err)
	}
	return w, nil
}

// connect connects now or later, for ever. stop is called if that is in vain.
func (w *workplace) connect(say func(string), stop context.CancelCauseFunc) (*nats.Conn, error) {
	var mu sync.Mutex
	last := ""
	options := append(connection(w.name, say), nats.RetryOnFailedConnect(true),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			var untrusted *tls.CertificateVerificationError
			switch other := errors.As(err, &untrusted) || errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, nats.ErrNkeysNotSupported); {
			case other && w.invitation != nil:
				stop(fmt.Errorf("the server at %s is not the one that invited worker %s: %w", w.invitation.Address, w.name, err))
				return
			case other:
				stop(fmt.Errorf("%w (is an invitation needed there?)", err))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if text := fmt.Sprintf("no connection, trying again: %v", err); text != last {
				last = text
				say(text)
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			err := fmt.Errorf("the connection is closed: %w", cmp.Or(nc.LastError(), nats.ErrConnectionClosed))
			if errors.Is(nc.LastError(), nats.ErrAuthorization) {
				err = fmt.Errorf("the server refuses worker %s: its key was revoked, is not known there, or is in use too often", w.name)
			}
			stop(err)
		}))
	if i := w.invitation; i != nil {
		public, err := i.Public()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(w.tls), nats.Nkey(public, i.Sign))
	}
	nc, err := nats.Connect(w.url, options...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.url, err)
	}
	return nc, nil
}

// keyed reports whether the server of a run wants keys.
func (o *remoteOptions) keyed() bool { return o.listen != "" && (o.keys != "" || !loopback(o.listen)) }

// secrets are what no engine of a run may read. They are there from now on.
func (o *remoteOptions) secrets() ([]string, error) {
	if !o.keyed() {
		return nil, nil
	}
	if _, err := ring(o.keys); err != nil {
		return nil, fmt.Errorf("--workers: %w", err)
	}
	dir, err := keysDir(o.keys)
	return []string{dir}, err
}

// serve starts the server of a run: with keys and TLS, unless only this machine can
// reach it.
func (o *remoteOptions) serve(h *remote.Host, say func(string)) (*remote.Server, error) {
	if !o.keyed() {
		server, err := remote.Serve(o.listen)
		if err == nil {
			say("workers: thera worker nats://" + server.Address())
		}
		return server, err
	}
	r, err := ring(o.keys)
	if err != nil {
		return nil, err
	}
	config, err := r.Server()
	if err != nil {
		return nil, err
	}
	server, err := remote.ServeGuarded(o.listen, &remote.Guard{
		TLS: config, Name: r.Name, Say: say,
		Revoked: func(name string) { h.Dismiss(name, "its key was revoked") },
	})
	if err == nil {
		say(fmt.Sprintf("workers: at %s, with invitations (thera worker invite NAME --for HOST:PORT)", server.Address()))
	}
	return server, err
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
