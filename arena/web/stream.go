package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"thera/arena"
)

// A stream sends the changing parts of one run's page as server-sent events. A
// part is drawn once for all listeners, and the goroutine of each listener's request
// writes it. There are no queues: a slow listener misses steps in between. A listener
// that comes back is sent everything.
type stream struct {
	server *Server
	run    int64
	stop   context.CancelFunc

	mu        sync.Mutex
	listeners int
	version   int64
	changed   chan struct{} // closed by the next change
	drawn     map[string]drawnPart
	of        *arena.Summary // that drawn tables and plots show
	over      bool
}

type drawnPart struct {
	version int64
	event   string
}

// streams are those that have listeners.
type streams struct {
	server *Server
	ctx    context.Context
	cancel context.CancelFunc

	mu  sync.Mutex
	all map[int64]*stream
	n   int
	wg  sync.WaitGroup

	patience time.Duration // with a listener that reads slowly
}

const (
	mostListeners = 1000
	heartbeat     = slowest // so that no proxy takes a connection for dead
)

func newStreams(s *Server) *streams {
	ctx, cancel := context.WithCancel(context.Background())
	return &streams{server: s, ctx: ctx, cancel: cancel, all: map[int64]*stream{}, patience: 15 * time.Second}
}

// close ends all streams.
func (s *streams) close() {
	s.cancel()
	s.wg.Wait()
}

// serve sends events until the listener leaves or the run is over.
func (s *streams) serve(w http.ResponseWriter, r *http.Request) {
	info, err := s.server.found(r.Context(), r)
	if err != nil {
		s.server.fail(w, r, err)
		return
	}
	st, err := s.join(info.ID)
	if err != nil {
		s.server.fail(w, r, err)
		return
	}
	defer s.leave(st)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	out := http.NewResponseController(w)
	defer context.AfterFunc(s.ctx, func() { _ = out.SetWriteDeadline(time.Now()) })()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	has, text := int64(0), "retry: 1000\n\n"
	for {
		more, version, over, changed := st.after(has)
		if text, has = text+more, version; text != "" {
			_ = out.SetWriteDeadline(time.Now().Add(s.patience))
			if _, err := io.WriteString(w, text); err != nil || out.Flush() != nil {
				return
			}
		}
		if over {
			return
		}
		text = ""
		select {
		case <-changed:
		case <-beat.C:
			text = ": alive\n\n"
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// join adds a listener to the stream of a run.
func (s *streams) join(run int64) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.n >= mostListeners {
		return nil, &httpError{http.StatusServiceUnavailable, fmt.Sprintf("%d pages are watching already", s.n)}
	}
	s.n++
	s.wg.Add(1)
	st := s.all[run]
	if st == nil {
		ctx, cancel := context.WithCancel(s.ctx)
		st = &stream{server: s.server, run: run, stop: cancel, changed: make(chan struct{}), drawn: map[string]drawnPart{}}
		s.all[run] = st
		s.wg.Go(func() { st.follow(ctx) })
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	st.listeners++
	return st, nil
}

func (s *streams) leave(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wg.Done()
	s.n--
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.listeners--; st.listeners == 0 {
		st.stop()
		delete(s.all, st.run)
	}
}

// count returns the number of listeners.
func (st *stream) count() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.listeners
}

// after returns the events of all parts that are newer than a version, the version
// that a listener has with them, whether they are the last, and what is closed by
// the next change.
func (st *stream) after(has int64) (events string, version int64, over bool, changed <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, name := range partNames {
		if p := st.drawn[name]; p.version > has {
			events += p.event
		}
	}
	if st.over {
		events += "event: over\ndata: {}\n\n"
	}
	return events, st.version, st.over, st.changed
}

// partNames are the parts of a run's page that change; the templates have them.
var partNames = []string{"head", "progress", "answer", "lastfaults", "boards", "tables"}

// follow draws the parts of a run while it has listeners, as often as its pace
// allows. Those of the run that this program plays are told at once when it is over.
func (st *stream) follow(ctx context.Context) {
	var last state
	for due := time.Now(); ; {
		if live := st.server.opts.Live; !time.Now().Before(due) || last.live && live.ended() {
			begin := time.Now()
			now, view, err := st.look(ctx, last)
			switch {
			case err != nil && ctx.Err() == nil:
				st.server.opts.Log.Error("stream", "run", st.run, "error", err)
			case err == nil && view != nil:
				st.draw(view, now.over)
				due = begin.Add(pause(time.Since(begin), st.count()))
			}
			if !now.live {
				due = begin.Add(max(due.Sub(begin), st.server.opts.Poll))
			}
			if last = now; now.over {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(fastest):
		}
	}
}

// state is what a stream has seen of a run.
type state struct {
	version int64  // of a live run
	run     string // of a stored run
	live    bool
	over    bool
}

// moment changes when a stored run does.
func moment(info *arena.RunInfo) string {
	return fmt.Sprint(info.Changed.UnixNano(), info.Games, info.State, info.Name)
}

// look returns what the page shows now, nil if nothing has changed.
func (st *stream) look(ctx context.Context, last state) (state, *parts, error) {
	s := st.server
	if live := s.opts.Live; live.plays(st.run) {
		now := state{live: true}
		if now.version, now.over = live.state(); now.version == last.version && last.live {
			return now, nil, nil
		}
		p := live.parts()
		return now, &p, nil
	}
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	info, err := s.opts.Store.Find(ctx, fmt.Sprintf("#%d", st.run))
	if err != nil {
		return last, nil, err
	}
	now := state{run: moment(&info), over: info.State != "running"}
	if now == last {
		return now, nil, nil
	}
	l, err := s.cache.run(ctx, info)
	if err != nil {
		return last, nil, err
	}
	now.run = moment(&l.info) // which may be a little older
	page := l.parts()
	return now, &page, nil
}

// draw renders the parts and wakes the listeners if one has changed.
func (st *stream) draw(view *parts, over bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	had := st.version
	for _, name := range partNames {
		if view.of == st.of && !over && (name == "tables" || name == "answer") {
			continue
		}
		html, err := st.server.pages.part("run", name, view)
		if err != nil {
			st.server.opts.Log.Error("stream", "run", st.run, "part", name, "error", err)
			continue
		}
		data, err := json.Marshal(struct {
			Part string `json:"part"`
			HTML string `json:"html"`
		}{name, html})
		if err != nil {
			continue // strings always can
		}
		if event := fmt.Sprintf("event: part\ndata: %s\n\n", data); event != st.drawn[name].event {
			st.version++
			st.drawn[name] = drawnPart{st.version, event}
		}
	}
	st.over, st.of = over, view.of
	if st.version > had || over {
		close(st.changed)
		st.changed = make(chan struct{})
	}
}
