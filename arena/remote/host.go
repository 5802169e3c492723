package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/queue"
	"thera/arena/queue/jet"
	"thera/arena/runner"
)

// Host offers the leases of one run to workers and takes their games.
type Host struct {
	Conn *nats.Conn
	Plan *arena.Plan

	// Home tells runs of one name apart: the database.
	Home string

	// Stored returns a stored game, to be compared with a double; nil if there is none.
	Stored func(ctx context.Context, run int64, id string) (*arena.Record, error)

	// Book keeps what happens with workers; nil: nothing does.
	Book Book

	// Ship are files of engines that workers may fetch; none: nothing leaves this machine.
	Ship []config.ShippedFile

	// Admit returns why a worker may not join the others, or nil. The others are in the
	// order in which they joined. Admit may be nil.
	Admit func(w Member, others func() []Member) error

	// Own is how many games this machine plays at a time.
	Own int

	// Wait is after how long a worker that is not heard has lost its leases; 0 is
	// jet.DefaultWait.
	Wait time.Duration

	run     int64
	key     string
	session string
	queue   *jet.Queue
	desk    *runner.Desk
	say     func(text string) // shows a remark
	tick    time.Duration     // from one announcement to the next
	joiner  joiner
	dealer  *dealer
	handed  chan *nats.Msg // games
	busy    chan struct{}  // leases that are being verified
	audits  *audits

	calm time.Duration // after which a worker that has left may come back

	mu             sync.Mutex
	members        map[string]*Member
	left           map[string]*Member // a moment ago, or with games that count against them
	workers, slots int                // that play, see count

	terms func() []byte // what a worker needs to play, written once
}

var _ runner.Remote = (*Host)(nil)

// Book keeps what happened with the workers of a run.
type Book interface {
	Incident(ctx context.Context, run int64, i arena.Incident) error
	Incidents(ctx context.Context, run int64) ([]arena.Incident, error)
}

// note keeps what happened with a worker.
func (h *Host) note(worker string, kind arena.IncidentKind, game, text string) error {
	if h.Book == nil {
		return nil
	}
	return h.Book.Incident(context.Background(), h.run, arena.Incident{
		Time: time.Now(), Worker: worker, Kind: kind, Game: plain(game, 64, false), Text: plain(text, mostRemark, false),
	})
}

// report keeps and shows what happened with a worker.
func (h *Host) report(worker string, kind arena.IncidentKind, game, text string) {
	h.say(remark("worker %s%s", worker, text))
	h.keep(worker, kind, game, text)
}

// keep keeps what happened with a worker, or shows that it cannot be kept.
func (h *Host) keep(worker string, kind arena.IncidentKind, game, text string) {
	if err := h.note(worker, kind, game, text); err != nil {
		h.say(remark("what is known about worker %s is not stored: %v", worker, err))
	}
}

// keyOf is the key of a run: of another one if it is begun again under other conditions,
// for a worker keeps the plan that it has.
func keyOf(home string, plan *arena.Plan, run int64) string {
	machine, _ := os.Hostname()
	text := fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", machine, home, plan.Name, run)
	for _, e := range plan.Engines {
		text = append(text, plan.Identity([2]string{e.Name, e.Name}).Job(0, 0)...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Open implements runner.Remote.
func (h *Host) Open(ctx context.Context, run int64) (queue.Queue, error) {
	h.run, h.key, h.session = run, keyOf(h.Home, h.Plan, run), nuid.Next()
	h.Wait = cmp.Or(h.Wait, jet.DefaultWait)
	h.members, h.handed, h.busy = map[string]*Member{}, make(chan *nats.Msg), make(chan struct{}, mostVerified)
	h.joiner.halves, h.left, h.calm = map[string]*half{}, map[string]*Member{}, cmp.Or(h.calm, comeBack)
	h.terms = sync.OnceValue(func() []byte {
		info := arena.RunInfo{Name: h.Plan.Name, Game: h.Plan.Game.Name(), Plan: h.Plan.Settings()}
		info.Plan.Source, info.Plan.File, info.Plan.Earlier, info.Plan.PastVoids = "", "", nil, nil
		return encode(terms{Wait: h.Wait, Plan: &plan{Info: info, Engines: h.Plan.Engines, Files: h.Ship}})
	})
	var err error
	if err = h.loadAudits(ctx); err != nil {
		return nil, err
	}
	h.queue, err = jet.Open(ctx, h.Conn, h.key, h.Wait)
	if err != nil {
		return nil, err
	}
	h.dealer = newDealer(h.queue)
	h.dealer.skip = h.skip
	return h.queue, nil
}

// Close removes the run from the server.
func (h *Host) Close() error {
	if h.queue == nil {
		return nil
	}
	h.queue.Leave()
	return h.queue.Delete(context.Background())
}

// Serve implements runner.Remote.
func (h *Host) Serve(ctx context.Context, desk *runner.Desk) error {
	h.desk, h.say, h.tick = desk, desk.Warn, cmp.Or(h.tick, announceEvery)
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { h.dealer.run(ctx) })
	for range mostStored {
		work.Go(func() { h.takeGames(ctx) })
	}
	handlers := map[string]nats.MsgHandler{
		helloSubject:                 func(msg *nats.Msg) { h.answer(msg, h.notice(false)) },
		subject(h.key, "join", "*"):  h.join,
		subject(h.key, "leave", "*"): h.leave,
		subject(h.key, "take", "*"):  h.lease,
		subject(h.key, "back", "*"):  h.back,
		subject(h.key, "file", "*"):  h.file,
		subject(h.key, "games", "*"): func(msg *nats.Msg) {
			select {
			case h.handed <- msg:
			case <-ctx.Done():
			}
		},
	}
	var subs []*nats.Subscription
	for subject, handle := range handlers {
		sub, err := h.Conn.Subscribe(subject, handle)
		if err != nil {
			return fmt.Errorf("workers: %w", err)
		}
		defer end(sub)
		subs = append(subs, sub)
	}
	h.announce(false)
	defer h.announce(true)
	said := time.Now()
	tick := time.NewTicker(h.tick)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if workers, _ := h.Slots(); time.Since(said) >= time.Duration(workers)*announceEach {
				h.announce(false)
				said = time.Now()
			}
			if !slices.ContainsFunc(subs, behind) {
				h.lookForSilence()
			}
			h.offerAudits(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

// behind reports whether messages wait to be read: a host that is slow must not take its
// workers for silent, and make more work of that.
func behind(sub *nats.Subscription) bool {
	n, _, err := sub.Pending()
	return err == nil && n > 0
}

// end ends a subscription and returns when its handler is not running any more.
func end(sub *nats.Subscription) {
	ended := make(chan struct{})
	sub.SetClosedHandler(func(string) { close(ended) })
	if sub.Unsubscribe() == nil { // Drain would wait for a server that is gone
		<-ended
	}
}

func (h *Host) notice(over bool) notice {
	return notice{Version: version, Key: h.key, Session: h.session, Name: h.Plan.Name, Over: over}
}

func (h *Host) announce(over bool) { _ = h.Conn.Publish(runsSubject, encode(h.notice(over))) } // it is repeated

// lookForSilence reports workers that are not heard any more.
func (h *Host) lookForSilence() {
	h.mu.Lock()
	var gone []string
	var lost []*Member
	maps.DeleteFunc(h.left, func(_ string, m *Member) bool { return m.refused+m.stalls == 0 && time.Since(m.seen) > h.calm })
	for name, m := range h.members {
		if time.Since(m.seen) > min(silence, h.Wait) {
			lost = append(lost, m)
		}
		if m.out == "" && time.Since(m.seen) > silence {
			gone = append(gone, name)
			h.forget(m)
		}
	}
	h.count()
	h.mu.Unlock()
	for _, m := range lost {
		h.dealer.gone(m)
	}
	for _, name := range gone {
		h.say(remark("worker %s is silent: its leases go to others", name))
	}
}

// nameIn is the worker's name in a subject.
func nameIn(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// join answers a worker that wants to play, or that still does.
func (h *Host) join(msg *nats.Msg) {
	var w hello
	name := nameIn(msg.Subject)
	if err := json.Unmarshal(msg.Data, &w); err != nil || w.Version != version {
		h.answer(msg, terms{Refused: fmt.Sprintf("the run is played by another version of thera (its messages have version %d, those of the worker %d)", version, w.Version)})
		return
	}
	if err := h.admit(name, &w); err != nil {
		h.answer(msg, terms{Refused: err.Error(), Later: errors.Is(err, errInUse)})
		return
	}
	if w.Joined { // it still plays: this comes often
		h.answer(msg, terms{Wait: h.Wait})
		return
	}
	h.answer(msg, json.RawMessage(h.terms()))
}

var errInUse = errors.New("a worker of this name played the run until now (names must differ, see --name)")

// admit enters a worker, or notes that it still plays.
func (h *Host) admit(name string, w *hello) error {
	if err := CheckName(name); err != nil || w.Worker != name {
		return fmt.Errorf("worker %.60q calls itself %.60q", name, w.Worker)
	}
	if w.Slots < 1 || w.Slots > 4096 {
		return fmt.Errorf("%d slots, expected 1 to 4096", w.Slots)
	}
	if !(w.Speed >= 0 && w.Speed <= mostSpeed) || len(w.Session) > mostSession {
		return fmt.Errorf("reference speed %g and a session of %d bytes, expected at most %g and %d", w.Speed, len(w.Session), float64(mostSpeed), mostSession)
	}
	m := Member{Name: name, Slots: w.Slots, Speed: w.Speed, Sandbox: plain(w.Sandbox, mostRemark, false), session: w.Session, since: time.Now(), seen: time.Now()}
	h.mu.Lock()
	was := h.members[name]
	switch {
	case was != nil && was.out != "":
		h.mu.Unlock()
		return fmt.Errorf("worker %s is expelled: %s", name, was.out)
	case was != nil && was.session != w.Session && time.Since(was.seen) < silence:
		h.mu.Unlock()
		return fmt.Errorf("%w: %s", errInUse, name)
	case was == nil && h.left[name] != nil && time.Since(h.left[name].seen) < h.calm:
		h.mu.Unlock()
		return fmt.Errorf("%w: %s left a moment ago", errInUse, name)
	case was != nil && was.session == w.Session:
		h.mu.Unlock()
		h.hear(was, w.Leases)
		return nil
	}
	h.mu.Unlock()
	if was != nil {
		h.dealer.gone(was)
	}
	if h.Admit != nil {
		others := func() []Member { return slices.DeleteFunc(h.Members(), func(m Member) bool { return m.Name == name }) }
		if err := h.Admit(m, others); err != nil {
			h.say(remark("worker %s is refused: %v", name, err))
			return err
		}
	}
	h.mu.Lock()
	full := len(h.members) >= mostMembers
	if earlier := h.left[name]; earlier != nil { // it does not get rid of what it did
		m.refused, m.pairs, m.stalls = earlier.refused, earlier.pairs, earlier.stalls
	}
	if !full {
		h.members[name] = &m
		if was == nil { // to count all each time would take as long as all else, with thousands that come
			h.workers++
			h.slots += m.Slots
		} else {
			h.count()
		}
	}
	h.mu.Unlock()
	if full {
		return fmt.Errorf("the run has had %d workers, and takes no more", mostMembers)
	}
	h.say(remark("worker %s plays, with %s", name, arena.Plural(m.Slots, "slot")))
	h.desk.Wake()
	return nil
}

// leave notes that a worker ends.
func (h *Host) leave(msg *nats.Msg) {
	var l leave
	name := nameIn(msg.Subject)
	_ = json.Unmarshal(msg.Data, &l)
	h.mu.Lock()
	m := h.members[name]
	plays := m != nil && m.out == ""
	if plays {
		m.seen = time.Now()
		h.forget(m)
		h.count()
	}
	h.mu.Unlock()
	defer h.answer(msg, receipt{})
	if !plays {
		return
	}
	h.dealer.gone(m)
	text := fmt.Sprintf("worker %s has left", name)
	if l.Reason != "" {
		text += ": " + l.Reason
	}
	h.say(remark("%s", text))
}
