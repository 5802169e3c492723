package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/proc"
)

// A stream sends the changing parts of one run's page as server-sent events. A
// part is drawn once for all listeners, and the goroutine of each listener's request
// writes it. A listener that comes back says how far it got, and is sent the rest.
// There are no queues: a slow listener misses steps in between.
type stream struct {
	server *Server
	run    int64
	epoch  string // tells its versions from those of another stream or program

	mu        sync.Mutex
	listeners int
	version   int64
	changed   chan struct{} // closed by the next change
	drawn     map[string]drawnPart
	of        *arena.Summary // that drawn tables and plots show
	over      bool

	stop context.CancelFunc
}

type drawnPart struct {
	version int64
	hash    uint64
	event   []byte
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
}

const (
	mostListeners = 1000
	mostIdle      = 64               // streams that are kept
	heartbeat     = slowest          // so that no proxy takes a connection for dead
	patience      = 15 * time.Second // with a listener that reads slowly
)

func newStreams(s *Server) *streams {
	ctx, cancel := context.WithCancel(context.Background())
	return &streams{server: s, ctx: ctx, cancel: cancel, all: map[int64]*stream{}}
}

// close ends all streams.
func (s *streams) close() {
	s.cancel()
	s.wg.Wait()
}

func (s *streams) watched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.all {
		if s.server.opts.Live.plays(st.run) {
			st.mu.Lock()
			defer st.mu.Unlock()
			return st.listeners > 0 || st.over
		}
	}
	return false
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
	has, text := st.has(r), []byte("retry: 1000\n\n")
	for {
		more, version, over, changed := st.after(has)
		if text, has = append(text, more...), version; len(text) > 0 {
			_ = out.SetWriteDeadline(time.Now().Add(patience))
			if _, err := w.Write(text); err != nil || out.Flush() != nil {
				return
			}
		}
		if text = nil; over {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
			text = []byte(": alive\n\n")
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
		st = &stream{server: s.server, run: run, epoch: NewToken()[:8], changed: make(chan struct{}), drawn: map[string]drawnPart{}}
		s.forget()
		s.all[run] = st
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.listeners++; st.listeners == 1 {
		ctx, cancel := context.WithCancel(s.ctx)
		st.stop = cancel
		st.over = false // a run may go on that was over
		s.wg.Go(func() { st.follow(ctx) })
	}
	return st, nil
}

// forget drops streams without listeners when there are many. A listener of one of
// them that comes back is sent everything.
func (s *streams) forget() {
	for run, st := range s.all {
		if len(s.all) < mostIdle {
			return
		}
		if st.count() == 0 {
			delete(s.all, run)
		}
	}
}

func (s *streams) leave(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wg.Done()
	s.n--
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.listeners--; st.listeners == 0 {
		st.stop() // what it has drawn stays, for those who come back
	}
}

// count returns the number of listeners.
func (st *stream) count() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.listeners
}

// has is the version that a listener has from before its connection was lost.
func (st *stream) has(r *http.Request) int64 {
	var version int64
	epoch, rest, _ := strings.Cut(r.Header.Get("Last-Event-ID"), ".")
	if _, err := fmt.Sscan(rest, &version); err != nil || epoch != st.epoch {
		return 0
	}
	return version
}

// after returns the events of all parts that are newer than a version, the version
// that a listener has with them, whether they are the last, and what is closed by
// the next change.
func (st *stream) after(has int64) (events []byte, version int64, over bool, changed <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	var b bytes.Buffer
	for _, name := range partNames {
		if p := st.drawn[name]; p.version > has {
			b.Write(p.event)
		}
	}
	if st.over {
		b.WriteString("event: over\ndata: {}\n\n")
	}
	if b.Len() > 0 {
		fmt.Fprintf(&b, "id: %s.%d\nevent: at\ndata: {}\n\n", st.epoch, st.version)
	}
	return b.Bytes(), st.version, st.over, st.changed
}

// partNames are the parts of a run's page that change; the templates have them.
var partNames = []string{"head", "progress", "boards", "tables", "plots", "lastfaults"}

// follow draws the parts of a run while it has listeners, as often as its pace
// allows.
func (st *stream) follow(ctx context.Context) {
	wait := time.NewTimer(0)
	defer wait.Stop()
	var last state
	var p pace
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		wait.Reset(fastest)
		if !p.due(time.Now(), proc.OwnCPU()) && !st.ended(last) {
			continue
		}
		begin, meter := time.Now(), startMeter()
		now, view, err := st.look(ctx, last)
		switch {
		case err != nil:
			if ctx.Err() == nil {
				st.server.opts.Log.Error("stream", "run", st.run, "error", err)
			}
			wait.Reset(st.server.opts.Poll)
		case view != nil:
			st.draw(view, now.over)
			p = pace{since: begin, cpu: proc.OwnCPU(), plays: now.live, listeners: st.count()}
		}
		if cost := meter.stop(); view != nil {
			p.cost = cost + time.Duration(p.listeners)*sendCost
		}
		if !now.live {
			wait.Reset(st.server.opts.Poll)
		}
		if last = now; now.over {
			return
		}
	}
}

// ended reports whether the run that this program plays is over: its listeners are
// told at once.
func (st *stream) ended(last state) bool {
	if !last.live {
		return false
	}
	_, over := st.server.opts.Live.state()
	return over
}

// state is what a stream has seen of a run.
type state struct {
	version int64 // of a live run
	run     runLine
	live    bool
	over    bool
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
	now := state{run: lineOf(&info), over: info.State != "running"}
	if now == last {
		return now, nil, nil
	}
	l, err := s.cache.run(ctx, info)
	if err != nil {
		return last, nil, err
	}
	now.run = lineOf(&l.info) // which may be a little older
	page := l.parts()
	return now, &page, nil
}

// draw renders the parts and wakes the listeners if one has changed.
func (st *stream) draw(view *parts, over bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	had := st.version
	for _, name := range partNames {
		if view.of == st.of && !over && (name == "tables" || name == "plots") {
			continue
		}
		html, err := st.server.pages.part("run", name, view)
		if err != nil {
			st.server.opts.Log.Error("stream", "run", st.run, "part", name, "error", err)
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(html))
		if p, ok := st.drawn[name]; ok && p.hash == h.Sum64() {
			continue
		}
		data, err := json.Marshal(struct {
			Part string `json:"part"`
			HTML string `json:"html"`
		}{name, html})
		if err != nil {
			continue // strings always can
		}
		st.version++
		st.drawn[name] = drawnPart{st.version, h.Sum64(), []byte("event: part\ndata: " + string(data) + "\n\n")}
	}
	st.over, st.of = over, view.of
	if st.version > had || over {
		close(st.changed)
		st.changed = make(chan struct{})
	}
}
