// Package web shows runs in a browser: stored runs, and a run while it is
// played. Tables come from package report, pictures from plot and from the games
// themselves, and replayed games from replay, so that a page and the command line
// show the same figures.
//
// It only reads. It answers GET and HEAD, listens at the given address, checks the
// Host header and, away from this machine, a token. Names and lines of engines are
// text that html/template escapes, and the content security policy allows nothing
// inline and nothing of other hosts. Every page works without JavaScript and
// answers `Accept: application/json` with its data.
//
//	server := web.New(web.Options{Store: db, Game: gameOfRun})
//	link, err := server.Listen(ctx, "127.0.0.1:8080")
package web

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"thera/arena"
	"thera/arena/store"
	"thera/engine/game"
)

//go:embed static templates
var files embed.FS

// Options are what a server shows, and to whom.
type Options struct {
	Store *store.Store

	// Game returns the game of a run, bound to the run's rules.
	Game func(run *arena.RunInfo) (game.Game, error)

	// Token is asked from every visitor; "" lets everybody in.
	Token string

	// Hosts are the names by which visitors may call the server, besides localhost
	// and addresses.
	Hosts []string

	// Live is the run that is being played, nil if there is none.
	Live *Live

	Log *slog.Logger // errors of the server; nil: nowhere
}

// Server is an http.Handler. It is safe for concurrent use.
type Server struct {
	opts      Options
	mux       *http.ServeMux
	cache     cache
	listeners atomic.Int64 // of events
	stop      func() error // of Listen
}

// New returns a server.
func New(opts Options) *Server {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{opts: opts, mux: http.NewServeMux(), cache: cache{runs: map[int64]*cachedRun{}}, stop: func() error { return nil }}
	s.mux.Handle("GET /static/", cached(http.FileServerFS(files)))
	for pattern, page := range map[string]func(*http.Request) (*page, error){
		"GET /{$}":                   s.runs,
		"GET /run/{run}":             s.ofRun(s.run),
		"GET /run/{run}/games":       s.ofRun(games),
		"GET /run/{run}/faults":      s.ofRun(faults),
		"GET /run/{run}/gods":        s.ofRun(gods),
		"GET /run/{run}/plot/{plot}": s.ofRun(drawPlot),
		"GET /game/{game}":           s.game,
		"GET /game/{game}/frames":    s.frames,
	} {
		s.mux.HandleFunc(pattern, s.show(page))
	}
	s.mux.HandleFunc("GET /run/{run}/events", s.events)
	s.mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, notFound("there is no page %s", r.URL.Path))
	})
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if !s.admit(w, r) {
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.fail(w, r, &httpError{http.StatusMethodNotAllowed, "these pages are only for reading"})
		return
	}
	s.mux.ServeHTTP(w, r)
}

// cached lets a browser keep a file of this build for an hour.
func cached(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "private, max-age=3600")
		h.ServeHTTP(w, r)
	})
}

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
