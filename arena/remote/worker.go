package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/session"
)

// Worker plays pairs of any number of runs.
type Worker struct {
	Conn    Conn
	Name    string
	Secrets []string // files that no engine may read: the invitation
	Slots   int
	Sandbox string // what it keeps engines from

	// Prepare finds what a run needs on this machine. fetch is nil unless the host ships its
	// engines. The error says what is missing or different.
	Prepare func(info *arena.RunInfo, engines []arena.EngineSpec, fetch Fetch) (*Prepared, error)

	// Say reports an event.
	Say func(text string)

	start, inbox string
	slots        chan int // the free ones
	all          sync.WaitGroup

	mu    sync.Mutex
	every time.Duration // from one look to the next
	looks int
	heard time.Time           // time of the last call of a host
	runs  map[string]*serving // by key
	shown map[string]string   // why a run refuses it, by key
}

// Fetch returns a part of the host's file with this SHA-256, beginning at the offset at. A part
// shorter than pieceSize is the last one.
type Fetch func(sum string, at int64) ([]byte, error)

// Prepared is a run that this machine can play.
type Prepared struct {
	Plan   *arena.Plan
	Worker func(slot int) arena.Worker
}

// serving is a run that a worker plays.
type serving struct {
	*Worker
	key, name string
	ctx       context.Context
	cancel    context.CancelCauseFunc
	work      sync.WaitGroup // pairs that are being played
	joined    *task          // finds what the run needs
	prepared  *Prepared
	players   []arena.Worker // by slot

	// The worker's lock protects these.
	pairs []*task   // the latest ones
	heard time.Time // time of the last message of the host
}

// task is a job that takes a worker long: finding what a run needs, or playing a pair.
type task struct {
	order
	done chan struct{} // closed at its end
	data []byte        // the games of the pair, packed
	err  error
}

// Run serves runs until ctx ends. Others then play the pairs that it has not finished.
func (w *Worker) Run(ctx context.Context) error {
	if err := CheckName(w.Name); err != nil {
		return err
	}
	w.start, w.every = nuid.Next(), helloEvery
	w.inbox = Inbox(w.Name) + "." + w.start
	w.runs, w.shown = map[string]*serving{}, map[string]string{}
	w.slots = make(chan int, w.Slots)
	for slot := range w.Slots {
		w.slots <- slot
	}
	defer w.all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for subject, handle := range map[string]nats.MsgHandler{
		runsSubject: w.notice, w.inbox: w.notice,
		callSubject(w.Name, w.start, "*"): func(msg *nats.Msg) { w.called(ctx, msg) },
	} {
		stop, err := w.Conn.Listen(subject, handle)
		if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		defer stop()
	}
	for {
		every := w.look()
		select {
		case <-time.After(every):
		case <-ctx.Done(): // hosts would notice the end, but later
			w.mu.Lock()
			w.hello(true)
			w.mu.Unlock()
			return nil
		}
	}
}

// look says hello, only rarely while hosts call, and leaves the runs of silent hosts. It returns
// the time until it should be called again.
func (w *Worker) look() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.looks++; w.looks%6 == 1 || time.Since(w.heard) >= w.every {
		w.hello(false)
	}
	for key, s := range w.runs {
		if time.Since(s.heard) > patience {
			w.drop(key, fmt.Errorf("its host has been silent for %v: its games are dropped", patience))
		}
	}
	return w.every
}

// hello says hello. The caller holds the lock.
func (w *Worker) hello(gone bool) {
	h := hello{Version: version, Start: w.start, Slots: w.Slots, Sandbox: w.Sandbox, Gone: gone}
	for _, s := range w.runs {
		for _, t := range s.pairs {
			h.Pairs = append(h.Pairs, t.Pair)
		}
	}
	_ = w.Conn.PublishMsg(&nats.Msg{Subject: helloSubject(w.Name), Reply: w.inbox, Data: arena.JSON(h)}) // it is repeated
}

// drop leaves a run. The caller holds the lock.
func (w *Worker) drop(key string, why error) {
	if s := w.runs[key]; s != nil {
		delete(w.runs, key)
		s.cancel(why)
	}
}

// notice handles a notice, to all workers or in answer to a hello.
func (w *Worker) notice(msg *nats.Msg) {
	var n notice
	if json.Unmarshal(msg.Data, &n) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.runs[n.Key]
	if n.Over || n.Refused != "" {
		w.drop(n.Key, nil)
	}
	switch {
	case n.Over:
		delete(w.shown, n.Key)
	case n.Refused != "" && w.shown[n.Key] != n.Refused && len(w.shown) < 1000:
		w.shown[n.Key] = n.Refused
		w.Say(n.Name + ": refused: " + n.Refused)
	case msg.Subject == runsSubject: // the host may not know this worker
		w.hello(false)
	case s != nil:
		s.heard = time.Now()
	}
}

// called handles a call of a host.
func (w *Worker) called(ctx context.Context, msg *nats.Msg) {
	var t terms
	var o order
	what := lastWord(msg.Subject)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case ctx.Err() != nil:
	case what == "join" && json.Unmarshal(msg.Data, &t) == nil:
		w.join(ctx, &t, msg)
	case what == "play" && json.Unmarshal(msg.Data, &o) == nil && len(o.Jobs) > 0:
		w.play(&o, msg)
	}
}

// join begins to serve a run, unless it has begun, and answers when it can play. The caller holds
// the lock.
func (w *Worker) join(ctx context.Context, t *terms, msg *nats.Msg) {
	w.every = min(w.every, max(t.Every, 10*time.Millisecond))
	s := w.runs[t.Key]
	if s == nil {
		s = &serving{Worker: w, key: t.Key, name: t.Info.Name, joined: &task{done: make(chan struct{})}}
		s.ctx, s.cancel = context.WithCancelCause(ctx)
		w.runs[t.Key] = s
		delete(w.shown, t.Key)
		w.all.Go(func() { s.serve(t) })
	}
	s.answer(s.joined, msg)
}

// play begins to play a pair, unless it is playing it or has kept it, and answers with the games.
// It does not answer for a run that it has not joined, so that the host finds it silent. The
// caller holds the lock.
func (w *Worker) play(o *order, msg *nats.Msg) {
	s := w.runs[o.Key]
	if s == nil || !s.joined.over() || s.joined.err != nil {
		return
	}
	for _, t := range s.pairs {
		if t.Pair == o.Pair && (t.Call == o.Call || (o.Kept || !t.over()) && t.has(o.Jobs)) {
			t.Call = o.Call
			s.answer(t, msg)
			return
		}
	}
	if old := slices.IndexFunc(s.pairs, (*task).over); old >= 0 && len(s.pairs) >= mostKept*w.Slots {
		s.pairs = slices.Delete(s.pairs, old, old+1)
	}
	t := &task{order: *o, done: make(chan struct{})}
	s.pairs = append(s.pairs, t)
	s.work.Go(func() { s.play(t) })
	s.answer(t, msg)
}

// answer answers a call when the task is done, or after a while that it is not. After the answer
// that it cannot play a run it leaves the run. The caller holds the lock.
func (s *serving) answer(t *task, msg *nats.Msg) {
	s.heard = time.Now()
	s.Worker.heard = s.heard
	still := time.After(s.every)
	s.all.Go(func() {
		select {
		case <-t.done:
			if t.err == nil {
				respond(s.Conn, msg, "", t.data)
			} else if s.ctx.Err() == nil {
				respond(s.Conn, msg, stateFailed, []byte(t.err.Error()))
				s.cancel(nil)
			}
		case <-still:
			respond(s.Conn, msg, stateStill, nil)
		case <-s.ctx.Done():
		}
	})
}

func (s *serving) say(format string, args ...any) {
	s.Say(s.name + ": " + fmt.Sprintf(format, args...))
}

// serve serves a run until it ends.
func (s *serving) serve(t *terms) {
	var fetch Fetch
	if t.Ship {
		fetch = s.fetch
	}
	t.Info.Plan.Law = arena.RulesEngine{} // nobody has checked that program
	if s.prepared, s.joined.err = s.Prepare(&t.Info, t.Engines, fetch); s.joined.err != nil {
		s.say("cannot be played here: %v", s.joined.err)
	} else {
		s.players = make([]arena.Worker, s.Slots)
		s.say("joined, with %s", arena.Plural(s.Slots, "slot"))
	}
	close(s.joined.done)
	<-s.ctx.Done()
	s.mu.Lock()
	if s.runs[s.key] == s { // so that nothing more begins
		delete(s.runs, s.key)
	}
	s.mu.Unlock()
	s.work.Wait()
	for _, p := range s.players {
		if p != nil {
			if err := p.Close(); err != nil {
				s.say("ending engines: %v", err)
			}
		}
	}
	if why := context.Cause(s.ctx); why != context.Canceled {
		s.say("%v", why)
	}
	if s.prepared != nil {
		s.say("has ended")
	}
}

// play plays a pair when a slot is free.
func (s *serving) play(t *task) {
	defer close(t.done)
	var slot int
	select {
	case slot = <-s.slots:
		defer func() { s.slots <- slot }()
	case <-s.ctx.Done():
		t.err = s.ctx.Err()
		return
	}
	if s.players[slot] == nil {
		s.players[slot] = s.prepared.Worker(slot)
	}
	var games []*arena.Game
	if games, t.err = session.PlayPair(s.ctx, s.prepared.Plan, s.players[slot], t.Jobs, nil); t.err == nil {
		t.data, t.err = pack(games, s.Conn.MaxPayload())
	}
	if t.err != nil && s.ctx.Err() == nil {
		s.say("%v", t.err)
	}
}

// over reports whether the task is done.
func (t *task) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// has reports whether the pair has the games of all jobs.
func (t *task) has(jobs []arena.Job) bool {
	return !slices.ContainsFunc(jobs, func(j arena.Job) bool {
		return !slices.ContainsFunc(t.Jobs, func(mine arena.Job) bool { return mine.ID == j.ID })
	})
}
