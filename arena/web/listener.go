package web

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// A listener is a page that is sent the events of a run. Its fields are guarded by
// the stream's lock.
type listener struct {
	conn net.Conn
	try  func([]byte) (int, error) // writes what can be written without waiting
	has  int64                     // the version that it was sent
	busy bool                      // it is sent something by a goroutine of its own
}

const (
	patience = 15 * time.Second // with a listener that reads slowly
	room     = 256 << 10        // for what a listener has not read yet
)

// serve sends events until the listener leaves or the run is over.
func (s *streams) serve(w http.ResponseWriter, r *http.Request) {
	info, err := s.server.found(r.Context(), r)
	if err != nil {
		s.server.fail(w, r, err)
		return
	}
	l := &listener{busy: true}
	st, err := s.join(info.ID, l)
	if err != nil {
		s.server.fail(w, r, err)
		return
	}
	defer s.leave(st, l)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "close") // the end of the connection is that of the answer
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		s.server.fail(w, r, err)
		return
	}
	defer conn.Close()
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(room)
	}
	_ = conn.SetDeadline(time.Time{})
	_ = conn.SetWriteDeadline(time.Now().Add(patience))
	fmt.Fprint(buffered, "HTTP/1.1 200 OK\r\n")
	_ = w.Header().Write(buffered) // Flush returns its errors
	fmt.Fprint(buffered, "\r\nretry: 1000\n\n")
	if buffered.Flush() != nil || !st.begin(l, conn, st.has(r)) {
		return
	}
	var rest [64]byte
	for { // a browser says nothing more: what comes is the end
		if _, err := conn.Read(rest[:]); err != nil {
			return
		}
	}
}

// begin sends a new listener what it has not got. It reports false when all streams
// end.
func (st *stream) begin(l *listener, conn net.Conn, has int64) bool {
	s := st.server.streams
	st.mu.Lock()
	defer st.mu.Unlock()
	l.conn, l.try, l.has = conn, trier(conn), has
	if s.ctx.Err() != nil {
		return false
	}
	s.wg.Go(func() { st.catchUp(l, nil) })
	return true
}

// hangUp ends all connections.
func (st *stream) hangUp() {
	st.mu.Lock()
	defer st.mu.Unlock()
	for l := range st.listeners {
		if l.conn != nil { // otherwise it has not begun, and never will
			l.conn.Close()
		}
	}
}

// send writes text to all who have that version; the others are on their way. It
// waits for nobody. The caller holds the lock.
func (st *stream) send(has int64, text []byte) {
	st.sent = time.Now()
	for l := range st.listeners {
		if l.busy {
			continue
		}
		if l.has != has {
			l.busy = true
			st.server.streams.wg.Go(func() { st.catchUp(l, nil) })
			continue
		}
		l.has = st.version
		n, err := l.try(text)
		switch {
		case err != nil:
			l.conn.Close() // its reader notices
		case n < len(text):
			l.busy = true
			st.server.streams.wg.Go(func() { st.catchUp(l, text[n:]) })
		case st.over:
			l.conn.Close()
		}
	}
}

// catchUp writes the rest of a text to a listener, and then all that it has not got.
func (st *stream) catchUp(l *listener, rest []byte) {
	for {
		if len(rest) > 0 {
			_ = l.conn.SetWriteDeadline(time.Now().Add(patience))
			if _, err := l.conn.Write(rest); err != nil {
				l.conn.Close()
				return
			}
		}
		st.mu.Lock()
		over := st.over
		if l.has == st.version && (rest != nil || !over) {
			l.busy = false
			_ = l.conn.SetWriteDeadline(time.Time{})
			if over {
				l.conn.Close()
			}
			st.mu.Unlock()
			return
		}
		rest = st.since(l.has)
		l.has = st.version
		st.mu.Unlock()
	}
}

// keepAlive lets listeners hear something now and then, so that nobody between takes
// their connections for dead.
func (st *stream) keepAlive() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if time.Since(st.sent) >= heartbeat {
		st.send(st.version, []byte(": alive\n\n"))
	}
}
