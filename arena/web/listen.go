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
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	go func() { s.done <- s.http.Serve(l) }()
	return link, nil
}

// Close ends all streams and connections: those of visitors that are being answered
// get a second.
func (s *Server) Close() error {
	s.streams.close()
	if s.http == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		_ = s.http.Close()
	}
	if err := <-s.done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
