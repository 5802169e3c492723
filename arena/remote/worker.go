package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
)

// Worker plays pairs of any number of runs.
type Worker struct {
	Conn    *nats.Conn
	Name    string
	Slots   int
	Speed   float64 // its reference speed
	Sandbox string  // what it holds

	// Prepare finds what a run needs on this machine. fetch is nil unless the host ships its
	// engines. The error says what is missing or differs.
	Prepare func(info *arena.RunInfo, engines []arena.EngineSpec, fetch Fetch) (*Prepared, error)

	// Say shows what happens.
	Say func(text string)

	start string
	slots chan int // those that are free
	all   sync.WaitGroup

	mu    sync.Mutex
	every time.Duration       // from one hello to the next
	runs  map[string]*serving // by key
	told  map[string]string   // why it does not play a run, by key
}

// Fetch writes a file of the host, by its SHA-256.
type Fetch func(sum string, to io.Writer) error

// Prepared is a run that this machine can play.
type Prepared struct {
	Plan   *arena.Plan
	Worker func(slot int) arena.Worker
}

// Run serves runs until ctx ends. Pairs that it plays are then played by others.
func (w *Worker) Run(ctx context.Context) error {
	if err := CheckName(w.Name); err != nil {
		return err
	}
	w.start, w.every, w.runs, w.told = nuid.Next(), helloEvery, map[string]*serving{}, map[string]string{}
	w.slots = make(chan int, w.Slots)
	for slot := range w.Slots {
		w.slots <- slot
	}
	defer w.all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for subject, handle := range map[string]nats.MsgHandler{
		runsSubject:                       w.notice,
		callSubject(w.Name, w.start, "*"): func(msg *nats.Msg) { w.called(ctx, msg) },
	} {
		sub, err := w.Conn.Subscribe(subject, handle)
		if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		defer unsubscribe(sub)
	}
	for {
		w.mu.Lock()
		w.hello(false)
		every := w.every
		for _, s := range w.runs {
			if time.Since(s.heard) > patience {
				w.drop(s, fmt.Sprintf("its host has been silent for %v: its games are dropped", patience))
			}
		}
		w.mu.Unlock()
		select {
		case <-time.After(every):
		case <-ctx.Done(): // hosts would notice it
			w.mu.Lock()
			w.hello(true)
			w.mu.Unlock()
			_ = w.Conn.FlushTimeout(time.Second)
			return nil
		}
	}
}

// hello says hello. The lock is held.
func (w *Worker) hello(gone bool) {
	h := hello{Version: version, Start: w.start, Slots: w.Slots, Speed: w.Speed, Sandbox: w.Sandbox, Gone: gone}
	for _, s := range w.runs {
		for id := range s.pairs {
			h.Pairs = append(h.Pairs, id)
		}
	}
	_ = w.Conn.Publish(helloSubject(w.Name), encode(h)) // it is repeated
}

// drop ends a run here. The lock is held.
func (w *Worker) drop(s *serving, why string) {
	if s != nil && w.runs[s.key] == s {
		delete(w.runs, s.key)
		s.why = why
		s.cancel()
	}
}

// notice takes what a host says to all workers, or to this one.
func (w *Worker) notice(msg *nats.Msg) {
	var n notice
	if json.Unmarshal(msg.Data, &n) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.runs[n.Key]
	switch {
	case n.Version != version:
		w.tell(n.Key, n.Name, fmt.Sprintf("is played by another version of thera (its messages have version %d, those here %d)", n.Version, version))
	case n.Refused != "":
		w.tell(n.Key, n.Name, "refused: "+n.Refused)
		w.drop(s, "")
	case n.Over:
		delete(w.told, n.Key)
		w.drop(s, "")
	case s == nil:
		w.hello(false)
	default:
		if s.heard = time.Now(); s.host != n.Start { // it has come back, and may not know this worker
			s.host = n.Start
			w.hello(false)
		}
	}
}

// tell shows why the worker does not play a run, once. The lock is held.
func (w *Worker) tell(key, name, why string) {
	if w.told[key] != why && len(w.told) < 1000 {
		w.told[key] = why
		w.Say(name + ": " + why)
	}
}

// called takes a call of a host.
func (w *Worker) called(ctx context.Context, msg *nats.Msg) {
	switch what := nameIn(msg.Subject); {
	case ctx.Err() != nil:
	case what == "join":
		var t terms
		if json.Unmarshal(msg.Data, &t) == nil {
			w.join(ctx, &t, msg)
		}
	case what == "play":
		var o order
		if json.Unmarshal(msg.Data, &o) == nil && len(o.Jobs) > 0 {
			w.play(&o, msg)
		}
	case what == "part":
		w.notice(msg)
	}
}

// join begins to serve a run, unless it does already, and answers when it can play.
func (w *Worker) join(ctx context.Context, t *terms, msg *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.every = min(w.every, max(t.Every, 10*time.Millisecond))
	s := w.runs[t.Key]
	if s == nil {
		s = &serving{Worker: w, key: t.Key, name: t.Name, joined: newTask(nil), pairs: map[string]*task{}}
		s.ctx, s.cancel = context.WithCancel(ctx)
		w.runs[t.Key] = s
		delete(w.told, t.Key)
		w.all.Go(func() { s.serve(t) })
	}
	s.heard = time.Now()
	s.answer(s.joined, t.Every, msg)
}

// play begins to play a pair, unless it has been played, and answers with its games. They are kept
// until the host says that it has them, or is silent.
func (w *Worker) play(o *order, msg *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.runs[o.Key]
	if s == nil {
		respond(msg, stateUnknown, nil)
		return
	}
	s.heard = time.Now()
	for _, id := range o.Done {
		delete(s.pairs, id)
	}
	p := s.pairs[o.Pair]
	if p == nil || !p.has(o.Jobs) {
		if len(s.pairs) >= mostClaims*w.Slots { // others have played them meanwhile
			maps.DeleteFunc(s.pairs, func(_ string, p *task) bool { return p.over() })
		}
		p = newTask(o.Jobs)
		s.pairs[o.Pair] = p
		s.work.Go(func() { s.play(p) })
	}
	s.answer(p, o.Wait, msg)
}

// task is what takes a worker long: to find what a run needs, or to play a pair.
type task struct {
	jobs []arena.Job   // of the pair
	done chan struct{} // closed at its end
	data []byte        // the games of the pair, packed
	err  error
}

func newTask(jobs []arena.Job) *task { return &task{jobs: jobs, done: make(chan struct{})} }

// over reports whether it is done.
func (t *task) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// has reports whether the games of all jobs are among those of the pair.
func (t *task) has(jobs []arena.Job) bool {
	return !slices.ContainsFunc(jobs, func(j arena.Job) bool {
		return !slices.ContainsFunc(t.jobs, func(mine arena.Job) bool { return mine.ID == j.ID })
	})
}
