package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"thera/arena"
)

// The page of a run is kept up to date by server-sent events. Each is a part of the page
// that has changed. All listeners of a run wait for the same moments; the first one that wakes
// draws the parts for all. There are no queues: a slow listener misses steps in between. A
// listener that comes back is sent everything.

const (
	mostListeners = 1000
	patience      = 15 * time.Second       // with a listener that reads slowly
	heartbeat     = 15 * time.Second       // so that no proxy takes a connection for dead
	fastest       = 250 * time.Millisecond // from one update to the next
	slowest       = 30 * time.Second
	poll          = time.Second // fastest, of a run that another program plays

	sendCost = 25 * time.Microsecond // of an event to one listener
	share    = 100                   // updates take at most 1/share of one processor
)

// pause is how long to wait from one update to the next. Watching must not slow down what is
// watched. took is how long the last update took, which is never less than what it cost.
func pause(took time.Duration, listeners int64) time.Duration {
	return min(max(share*(took+time.Duration(listeners)*sendCost), fastest), slowest)
}

// partNames are the parts of a run's page that change; the templates have them.
var partNames = []string{"head", "progress", "answer", "lastfaults", "boards", "tables"}

// view is what listeners of a run are sent.
type view struct {
	of    *arena.Summary    // that drawn tables and plots show
	drawn map[string]string // events, by part
	over  bool
	due   time.Time // when it is drawn again
}

// events sends events until the listener leaves or the run ends.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	info, err := s.found(r)
	defer s.listeners.Add(-1)
	if n := s.listeners.Add(1); err == nil && n > mostListeners {
		err = &httpError{http.StatusServiceUnavailable, fmt.Sprintf("%d pages are watching already", mostListeners)}
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	var ended <-chan struct{}
	if live := s.opts.Live; live.plays(info.ID) {
		ended = live.over
	}
	out := http.NewResponseController(w)
	has, text, sent, over := map[string]string{}, "retry: 1000\n\n", time.Now(), false
	for {
		more, v := s.changes(r.Context(), info.ID, has, over)
		if text += more; text == "" && time.Since(sent) >= heartbeat {
			text = ": alive\n\n"
		}
		if text != "" {
			sent = time.Now()
			_ = out.SetWriteDeadline(sent.Add(patience))
			if _, err := io.WriteString(w, text); err != nil || out.Flush() != nil {
				return
			}
		}
		if v.over {
			return
		}
		text = ""
		select {
		case <-time.After(time.Until(v.due)):
		case <-ended:
			ended, over = nil, true
		case <-r.Context().Done():
			return
		}
	}
}

// changes returns the events of all parts that are not as a listener has them, and what it
// has with them. It draws the parts if that is due or the run has ended.
func (s *Server) changes(ctx context.Context, run int64, has map[string]string, over bool) (events string, v view) {
	r := s.cache.place(run)
	r.drawing.Lock()
	defer r.drawing.Unlock()
	if begin := time.Now(); !begin.Before(r.view.due) || over && !r.view.over {
		if err := s.draw(ctx, run, &r.view); err != nil && ctx.Err() == nil {
			s.opts.Log.Error("stream", "run", run, "error", err)
		}
		wait := pause(time.Since(begin), s.listeners.Load())
		if !s.opts.Live.plays(run) {
			wait = max(wait, poll)
		}
		r.view.due = begin.Add(wait)
	}
	for _, name := range partNames {
		if event := r.view.drawn[name]; event != has[name] {
			events, has[name] = events+event, event
		}
	}
	if r.view.over {
		events += "event: over\ndata: {}\n\n"
	}
	return events, r.view
}

// draw renders the parts of a run as it is now.
func (s *Server) draw(ctx context.Context, run int64, v *view) error {
	page, over := s.opts.Live.parts(run)
	if page == nil {
		ctx, cancel := context.WithTimeout(ctx, pageTime)
		defer cancel()
		info, err := s.opts.Store.Find(ctx, fmt.Sprintf("#%d", run))
		if err != nil {
			return err
		}
		l, err := s.load(ctx, info)
		if err != nil {
			return err
		}
		page, over = new(l.parts()), info.State != "running"
	}
	drawn := map[string]string{}
	for _, name := range partNames {
		if page.of == v.of && (name == "tables" || name == "answer") {
			drawn[name] = v.drawn[name]
			continue
		}
		html, err := fragment(name, page)
		if err != nil {
			return err
		}
		data, err := json.Marshal(map[string]string{"part": name, "html": html})
		if err != nil {
			return err
		}
		drawn[name] = fmt.Sprintf("event: part\ndata: %s\n\n", data)
	}
	v.of, v.drawn, v.over = page.of, drawn, over
	return nil
}
