package web

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"thera/arena/proc"
)

// A stream sends the changing parts of one run's page as server-sent events. A
// part is drawn once for all listeners. Each listener is sent the parts that are
// newer than what it has; one that comes back says how far it got, and is sent
// the rest. There are no queues: who is slow misses steps in between.
type stream struct {
	server *Server
	run    int64
	epoch  string // tells its versions from those of another stream or program

	listeners atomic.Int64
	sending   atomic.Int64 // nanoseconds that listeners were written to since the last update

	mu      sync.Mutex
	version int64
	names   []string
	drawn   map[string]drawnPart
	over    bool
	changed chan struct{} // closed at the next change

	said struct { // what most listeners are sent: those that have the version before
		has, version int64
		text         string
	}
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
	mostIdle      = 64 // streams that are kept
	heartbeat     = 15 * time.Second
)

func newStreams(s *Server) *streams {
	ctx, cancel := context.WithCancel(context.Background())
	return &streams{server: s, ctx: ctx, cancel: cancel, all: map[int64]*stream{}}
}

// close ends all streams. Those of a run that is over are sent its end first.
func (s *streams) close() {
	s.mu.Lock()
	for _, st := range s.all {
		if live := s.server.opts.Live; st.listeners.Load() > 0 && live.plays(st.run) {
			if _, over := live.state(); over {
				view := live.parts()
				st.draw(&view, true)
			}
		}
	}
	s.mu.Unlock()
	sent := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(sent)
	}()
	select {
	case <-sent:
	case <-time.After(time.Second):
	}
	s.cancel()
	s.wg.Wait()
}

// join returns the stream of a run with one more listener.
func (s *streams) join(run int64) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.n >= mostListeners {
		return nil, &httpError{http.StatusServiceUnavailable, fmt.Sprintf("%d pages are watching already", s.n)}
	}
	s.n++
	st := s.all[run]
	if st == nil {
		st = &stream{server: s.server, run: run, epoch: NewToken()[:8], drawn: map[string]drawnPart{}, changed: make(chan struct{})}
		s.forget()
		s.all[run] = st
	}
	if st.listeners.Add(1) == 1 {
		ctx, cancel := context.WithCancel(s.ctx)
		st.stop = cancel
		st.reopen()
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
		if st.listeners.Load() == 0 {
			delete(s.all, run)
		}
	}
}

func (s *streams) leave(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n--
	if st.listeners.Add(-1) == 0 {
		st.stop() // what it has drawn stays, for those who come back
	}
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
	s.wg.Add(1)
	defer s.wg.Done()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	fmt.Fprint(w, "retry: 1000\n\n")
	has := st.has(r)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		text, version, over, changed := st.since(has)
		if len(text) == 0 {
			text = ": alive\n\n"
		}
		_ = out.SetWriteDeadline(time.Now().Add(heartbeat)) // not every writer has one
		begin := time.Now()
		if _, err := io.WriteString(w, text); err != nil || out.Flush() != nil {
			return
		}
		st.sending.Add(int64(time.Since(begin)))
		if has = version; over {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
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

// reopen lets a run go on that was over.
func (st *stream) reopen() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.over = false
}

// since returns the events of all parts that are newer than a version.
func (st *stream) since(has int64) (text string, version int64, over bool, changed <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if s := &st.said; s.text != "" && s.has == has && s.version == st.version && !st.over {
		return s.text, st.version, false, st.changed
	}
	var b strings.Builder
	for _, name := range st.names {
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
	if !st.over {
		st.said.has, st.said.version, st.said.text = has, st.version, b.String()
	}
	return b.String(), st.version, st.over, st.changed
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
		p.cost += time.Duration(st.sending.Swap(0))
		if !p.due(time.Now(), proc.OwnCPU()) && !st.ended(last) {
			continue
		}
		begin := time.Now()
		now, view, err := st.look(ctx, last)
		switch {
		case err != nil:
			if ctx.Err() == nil {
				st.server.opts.Log.Error("stream", "run", st.run, "error", err)
			}
			wait.Reset(st.server.opts.Poll)
		case view != nil:
			st.draw(view, now.over)
			p = pace{since: begin, cpu: proc.OwnCPU(), cost: time.Since(begin), many: st.listeners.Load() > few}
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
	page := s.runParts(l.info.ID, l.report, &l.course)
	return now, &page.parts, nil
}

// draw renders the parts and tells the listeners which have changed.
func (st *stream) draw(view *parts, over bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.names = partNames
	for _, name := range partNames {
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
	st.over = over
	close(st.changed)
	st.changed = make(chan struct{})
}
