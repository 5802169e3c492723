package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Listen begins to serve at an address and returns the link to open, with the token.
// Where others than this machine can connect, a token is asked for, if need be a new one.
func (s *Server) Listen(ctx context.Context, address string) (link string, err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("listening at %s: %w", address, err)
	}
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return "", errors.Join(err, l.Close())
	}
	if !at.Addr().IsLoopback() && s.opts.Token == "" {
		s.opts.Token = rand.Text()
	}
	if at.Addr().IsUnspecified() {
		at = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), at.Port())
	}
	link = fmt.Sprintf("http://%s/", at)
	if s.opts.Token != "" {
		link += "?token=" + s.opts.Token
	}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
		BaseContext: func(net.Listener) context.Context { return base },
	}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.opts.Log.Error("serving", "error", err)
		}
	}()
	s.stop = func() error {
		cancel() // all that is being answered ends
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) == nil {
			return nil
		}
		return server.Close()
	}
	return link, nil
}

// Close ends all streams and connections.
func (s *Server) Close() error { return s.stop() }
