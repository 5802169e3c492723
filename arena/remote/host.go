package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"thera/arena"
	"thera/arena/session"
)

// Host has workers play pairs of one run.
type Host struct {
	Conn *nats.Conn
	Plan *arena.Plan

	// Home tells runs of one name apart: the database.
	Home string

	// Book has the games of the run, and keeps what happens with workers.
	Book Book

	// Ship are the paths of files of engines that workers may fetch, by SHA-256; none: nothing leaves this machine.
	Ship map[string]string

	// Speed is the reference speed of this machine; 0: it plays nothing.
	Speed float64

	// Wait is after how long a worker that is not heard has lost its pairs; 0 is 20 s.
	Wait time.Duration

	run    int64
	key    string
	start  string // of this host
	desk   *session.Desk
	say    func(text string) // shows a remark
	tick   time.Duration     // from one announcement to the next
	busy   chan struct{}     // pairs that are being verified
	secret []byte            // of this start: it chooses what is audited
	terms  []byte
	calm   time.Duration // after which a worker that has left may come back
	ctx    context.Context
	work   sync.WaitGroup // what workers play

	mu             sync.Mutex
	members        map[string]*member // those that have left as well, with what counts against them
	workers, slots int                // that play
	audits         audits
	ends           map[duel]map[string]*ends // of each worker, this machine is ""
	accused        []accusation              // see rates.go
}

var _ session.Remote = (*Host)(nil)

// Book has the games of runs, and keeps what happened with their workers.
type Book interface {
	Incident(ctx context.Context, run int64, i arena.Incident) error
	Incidents(ctx context.Context, run int64) ([]arena.Incident, error)

	// Stored returns a stored game; nil if there is none.
	Stored(ctx context.Context, run int64, id string) (*arena.Game, error)

	// Finished returns the games of a run.
	Finished(ctx context.Context, run int64) ([]arena.Game, error)
}

// report keeps and shows what happened with a worker.
func (h *Host) report(worker string, kind arena.IncidentKind, game, text string) {
	h.say(remark("worker %s%s", worker, text))
	h.keep(worker, kind, game, text)
}

// keep keeps what happened with a worker, or shows that it cannot be kept.
func (h *Host) keep(worker string, kind arena.IncidentKind, game, text string) {
	err := h.Book.Incident(context.Background(), h.run, arena.Incident{
		Time: time.Now(), Worker: worker, Kind: kind,
		Game: cut(game, 64), Text: cut(text, mostRemark),
	})
	if err != nil {
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

// Open implements session.Remote.
func (h *Host) Open(ctx context.Context, run int64, desk *session.Desk) (excluded map[string]string, err error) {
	h.desk, h.say = desk, desk.Warn
	h.run, h.key, h.start = run, keyOf(h.Home, h.Plan, run), nuid.Next()
	h.Wait, h.calm = cmp.Or(h.Wait, silence), cmp.Or(h.calm, comeBack)
	h.tick = cmp.Or(h.tick, min(announceEvery, h.Wait/4))
	h.members = map[string]*member{}
	if h.busy == nil {
		h.busy = make(chan struct{}, max(mostVerified, runtime.GOMAXPROCS(0)))
	}
	info := arena.RunInfo{Name: h.Plan.Name, Game: h.Plan.Game.Name(), Plan: h.Plan.Settings()}
	info.Plan.File = ""
	h.terms = encode(terms{
		Key: h.key, Name: h.Plan.Name, Every: h.every(), Info: info, Engines: h.Plan.Engines, Ship: len(h.Ship) > 0,
	})
	return h.loadAudits(ctx)
}

// every is how often a worker is asked that is still at it.
func (h *Host) every() time.Duration { return min(helloEvery, h.Wait/4) }

// Serve implements session.Remote.
func (h *Host) Serve(ctx context.Context) error {
	h.ctx = ctx
	defer h.work.Wait()
	var subs []*nats.Subscription
	for subject, handle := range map[string]nats.MsgHandler{
		helloSubject("*"):       h.hello,
		fileSubject(h.key, "*"): h.file,
	} {
		sub, err := h.Conn.Subscribe(subject, handle)
		if err != nil {
			return fmt.Errorf("workers: %w", err)
		}
		defer unsubscribe(sub)
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
			h.accuse(ctx)
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

// unsubscribe ends a subscription and returns when its handler is not running any more.
func unsubscribe(sub *nats.Subscription) {
	ended := make(chan struct{})
	sub.SetClosedHandler(func(string) { close(ended) })
	if sub.Unsubscribe() == nil { // Drain would wait for a server that is gone
		<-ended
	}
}

// announce says that the run is played, or that it is over.
func (h *Host) announce(over bool) {
	n := h.notice()
	n.Over = over
	_ = h.Conn.Publish(runsSubject, encode(n)) // it is repeated
}

func (h *Host) notice() notice {
	return notice{Version: version, Key: h.key, Start: h.start, Name: h.Plan.Name}
}
