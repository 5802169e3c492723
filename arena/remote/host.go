package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/session"
	"thera/engine/game"
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

	// Wait is after how long a worker that does not answer has lost its pairs; 0 is 20 s.
	Wait time.Duration

	run    *session.Run
	key    string
	busy   chan struct{}   // pairs that are being verified
	came   atomic.Int64    // bytes of answers that are not verified
	secret []byte          // of this start: it chooses what is audited
	calm   time.Duration   // after which a worker that has left may come back
	spare  time.Duration   // for which a worker may have a pair, beside so many times as long as others
	ctx    context.Context // of Serve
	work   sync.WaitGroup  // what workers play, and audits

	// The lock is not held while the run is called.
	mu      sync.Mutex
	over    bool               // no work is begun any more
	members map[string]*member // those that have left as well, with what counts against them
	due     []part             // audits of an earlier start
	entered map[part]bool      // pairs that were audited, or are
}

var _ session.Remote = (*Host)(nil)

// Book has the games of runs, and keeps what happened with their workers.
type Book interface {
	Incident(ctx context.Context, run int64, i arena.Incident) error
	Incidents(ctx context.Context, run int64) ([]arena.Incident, error)
	Finished(ctx context.Context, run int64) ([]arena.Game, error)

	// Stored returns a stored game; nil if there is none.
	Stored(ctx context.Context, run int64, id string) (*arena.Game, error)
}

// say shows a remark, with words of a worker.
func (h *Host) say(format string, args ...any) {
	h.run.Warn(cut(fmt.Sprintf(format, args...), mostRemark))
}

// keep keeps what happened with a worker, or shows that it cannot be kept.
func (h *Host) keep(worker string, kind arena.IncidentKind, game, text string) {
	err := h.Book.Incident(context.Background(), h.run.ID, arena.Incident{
		Time: time.Now(), Worker: worker, Kind: kind, Game: game, Text: cut(text, mostRemark),
	})
	if err != nil {
		h.say("what is known about worker %s is not stored: %v", worker, err)
	}
}

// keyOf is the key of a run: of another one if it is begun again under other conditions,
// for a worker keeps the plan that it has.
func keyOf(home string, plan *arena.Plan, run int64) string {
	machine, _ := os.Hostname()
	all := sha256.New()
	fmt.Fprintf(all, "%s\x00%s\x00%s\x00%d", machine, home, plan.Name, run)
	for _, e := range plan.Engines {
		fmt.Fprint(all, plan.Identity([2]string{e.Name, e.Name}).Job(0, 0))
	}
	return hex.EncodeToString(all.Sum(nil)[:8])
}

// Open implements session.Remote.
func (h *Host) Open(ctx context.Context, run *session.Run) (excluded map[string]string, err error) {
	h.run, h.key = run, keyOf(h.Home, h.Plan, run.ID)
	h.Wait, h.calm = cmp.Or(h.Wait, silence), cmp.Or(h.calm, time.Second)
	h.spare = cmp.Or(h.spare, time.Minute)
	h.members, h.entered = map[string]*member{}, map[part]bool{}
	if h.busy == nil {
		h.busy = make(chan struct{}, max(4, runtime.GOMAXPROCS(0)))
	}
	if h.secret == nil {
		h.secret = []byte(rand.Text())
	}
	return h.recall(ctx)
}

// every is how often a worker is asked that is still at it.
func (h *Host) every() time.Duration { return min(helloEvery, h.Wait/4) }

// Serve implements session.Remote.
func (h *Host) Serve(ctx context.Context) error {
	defer h.work.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		h.mu.Lock()
		h.over = true
		h.mu.Unlock()
	}()
	h.mu.Lock()
	h.ctx = ctx
	h.mu.Unlock()
	for _, of := range h.due {
		h.enter(of)
		h.run.Release() // of recall
	}
	for subject, handle := range map[string]nats.MsgHandler{
		helloSubject("*"):       h.hello,
		fileSubject(h.key, "*"): h.file,
	} {
		sub, err := h.Conn.Subscribe(subject, handle)
		if err != nil {
			return fmt.Errorf("workers: %w", err)
		}
		defer unsubscribe(sub)
	}
	n := h.notice()
	_ = h.Conn.Publish(runsSubject, encode(n)) // or workers hear of it when they say hello
	<-ctx.Done()
	n.Over = true
	_ = h.Conn.Publish(runsSubject, encode(n)) // or they find that the host is silent
	return nil
}

func (h *Host) notice() notice { return notice{Version: version, Key: h.key, Name: h.Plan.Name} }

// CheckPlan refuses plans that workers cannot play: games from positions whose rules
// only engines know cannot be verified.
func CheckPlan(plan *arena.Plan) error {
	pos := game.ForeignStart(plan.Game)
	for i, text := range plan.Openings.Positions {
		at, err := plan.Game.Parse(text)
		if _, foreign := at.(game.Foreign); err == nil && foreign {
			pos = at
			break
		} else if i == 0 {
			pos = nil // the game's own starts are not played
		}
	}
	if pos == nil {
		return nil
	}
	return fmt.Errorf("a run with workers needs rules that thera knows, and those of %s are an engine's (law:): "+
		"without --workers and --nats it can be played", pos)
}
