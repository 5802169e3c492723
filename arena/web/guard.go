package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

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
