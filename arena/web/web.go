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
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
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

// policy allows the server's files and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secure sets the headers that every answer has.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-cache")
}

// cookie holds the token after the first visit.
const cookie = "thera_token"

// admit checks where a request was sent and whether its sender has the token. It
// reports whether the request may go on.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) bool {
	if !s.hosted(r.Host) {
		s.fail(w, r, &httpError{http.StatusForbidden, "the Host of this request is not one of this server (thera serve --host NAME allows a name)"})
		return false
	}
	if s.opts.Token == "" {
		return true
	}
	if given := r.URL.Query().Get("token"); given != "" && s.isToken(given) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.opts.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		clean := *r.URL // so that the token stays in no history and no log
		query := clean.Query()
		query.Del("token")
		clean.RawQuery = query.Encode()
		clean.Path = "/" + strings.TrimLeft(clean.Path, "/") // never another host
		http.Redirect(w, r, clean.RequestURI(), http.StatusSeeOther)
		return false
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && s.isToken(given) {
		return true
	}
	if c, err := r.Cookie(cookie); err == nil && s.isToken(c.Value) {
		return true
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	s.fail(w, r, &httpError{http.StatusUnauthorized, "this server asks for its token: open the address that thera printed, with ?token=…"})
	return false
}

// isToken compares in constant time.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.opts.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// hosted reports whether the Host of a request may be this server. A page of
// another site can call this server by another name, but not by an address.
// Without a token only addresses of this machine are right.
func (s *Server) hosted(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || slices.Contains(s.opts.Hosts, name) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr.IsLoopback() || s.opts.Token != "")
}
