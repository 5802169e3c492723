package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/session"
	"thera/engine/game"
)

// Host lets workers play pairs of one run.
type Host struct {
	Conn Conn

	// Home is the path of the database. It tells runs with the same name apart.
	Home string

	// Ship has the paths of the files of engines that workers may fetch, by SHA-256. If it is
	// empty, no file leaves this machine.
	Ship map[string]string

	// Wait is the time after which a silent worker loses its pairs. 0 means 20 s.
	Wait time.Duration

	run   *session.Run
	terms terms
	busy  chan struct{}   // one value for each pair that is being verified
	came  atomic.Int64    // bytes of answers that wait to be verified
	calm  time.Duration   // after which a worker that has left may come back
	draw  func() float64  // chooses audits at random
	due   []part          // audits of earlier starts that are still due
	spare time.Duration   // for which a worker may have a pair, whatever others take
	ctx   context.Context // of Serve
	work  sync.WaitGroup  // goroutines of members and audits

	charging chan struct{} // a lock that is taken before mu

	// mu is not held during calls of the run.
	mu      sync.Mutex
	workers map[string]*standing
	audits  map[part]bool // pairs that were chosen for an audit; true if the audit is due
}

var _ session.Remote = (*Host)(nil)

// say reports a remark. It bounds its length, because it may quote a worker.
func (h *Host) say(format string, args ...any) {
	h.run.Warn(arena.Cut(fmt.Sprintf(format, args...), mostRemark))
}

// Open implements session.Remote.
func (h *Host) Open(ctx context.Context, run *session.Run) (excluded map[string]string, err error) {
	h.run, h.workers, h.audits = run, map[string]*standing{}, map[part]bool{}
	if h.draw == nil {
		h.draw = rand.Float64
	}
	h.charging = make(chan struct{}, 1)
	h.Wait, h.calm, h.spare = cmp.Or(h.Wait, silence), cmp.Or(h.calm, time.Second), cmp.Or(h.spare, time.Minute)
	h.terms = termsOf(h.run.Plan, h.Home, run.ID)
	h.terms.Every, h.terms.Ship = h.every(), len(h.Ship) > 0
	if h.busy == nil {
		h.busy = make(chan struct{}, max(4, runtime.GOMAXPROCS(0)))
	}
	return h.recall(ctx)
}

// termsOf returns the terms of a run. Other terms have another key, because a worker keeps the
// terms that it has.
func termsOf(plan *arena.Plan, home string, run int64) terms {
	t := terms{Info: arena.RunInfo{Name: plan.Name, Game: plan.Game.Name(), Plan: *plan}, Engines: slices.Clone(plan.Engines)}
	t.Info.Plan.File = ""
	for i := range t.Engines { // a worker must be the same program, which nobody has read yet
		if e := &t.Engines[i]; e.Self() {
			program := e.Hashed[0]
			program.Sum, _ = files.Sum(program.Path)
			e.Hashed = []files.File{program}
		}
	}
	machine, _ := os.Hostname()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", machine, home, run, arena.JSON(t)))
	t.Key = hex.EncodeToString(sum[:8])
	return t
}

// every returns how often a busy worker is asked.
func (h *Host) every() time.Duration { return min(helloEvery, h.Wait/4) }

// Serve implements session.Remote.
func (h *Host) Serve(ctx context.Context) error {
	defer h.work.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.ctx = ctx
	for _, of := range h.due {
		h.enter(of)
		h.run.Release() // of recall
	}
	for subject, handle := range map[string]nats.MsgHandler{
		helloSubject("*"):             h.hello,
		fileSubject(h.terms.Key, "*"): h.file,
	} {
		stop, err := h.Conn.Listen(subject, handle)
		if err != nil {
			return fmt.Errorf("workers: %w", err)
		}
		defer stop()
	}
	n := h.notice()
	_ = h.Conn.PublishMsg(&nats.Msg{Subject: runsSubject, Data: arena.JSON(n)}) // if it is lost, workers hear of the run when they say hello
	<-ctx.Done()
	n.Over = true
	_ = h.Conn.PublishMsg(&nats.Msg{Subject: runsSubject, Data: arena.JSON(n)}) // if it is lost, they find that the host is silent
	return nil
}

func (h *Host) notice() notice { return notice{Key: h.terms.Key, Name: h.run.Plan.Name} }

// CheckPlan returns an error for a plan that workers cannot play: games from positions whose
// rules only engines know cannot be verified.
func CheckPlan(plan *arena.Plan) error {
	pos := game.ForeignStart(plan.Game)
	for i, text := range plan.Openings.Positions {
		at, err := plan.Game.Parse(text)
		if _, foreign := at.(game.Foreign); err == nil && foreign {
			pos = at
			break
		} else if i == 0 {
			pos = nil // the game's starts are not played
		}
	}
	if pos == nil {
		return nil
	}
	return fmt.Errorf("a run with workers needs rules that thera knows, but an engine decides those of %s (law:): "+
		"play it without --workers and --nats", pos)
}
