// Package player is one engine in play: a process, a conversation in its
// dialect, and the limits for each part of that conversation. A Conn carries the
// lines, measures the time and names the fault when a limit passes.
//
// It leaves rules and scores to package match, and never restarts an engine by
// itself: a Player that faulted is dead until Start is called again.
package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// Defaults for limits that are zero.
const (
	startLimit = 10 * time.Second // to become ready
	syncLimit  = 2 * time.Second  // for Sync, Seat, End and List
	byeLimit   = 100 * time.Millisecond
)

// endLimit bounds the wait of Alive for an exit that has begun. Nothing wakes that wait, so it is
// shorter than dying.
const endLimit = 5 * time.Second

// Player is one engine. It is used by one goroutine at a time.
type Player struct {
	spec    arena.EngineSpec
	dialect game.Dialect
	seat    game.Seat
	opts    Options

	proc     *proc.Process // the last one
	conn     *Conn
	session  game.Session // nil without a process that runs
	info     game.Info
	starts   bool // the process has not shown yet that it is ready
	moved    bool // it has answered in this dialect
	playing  game.Seat
	limit    arena.Limit
	judge    Judge
	answered func()        // tells the judge of the opponent; nil where only one moves
	bye      time.Duration // time to exit after the request
}

// Options are what does not depend on the engine.
type Options struct {
	Spawner *proc.Spawner
	Box     *sandbox.Box                               // what the engine may touch; nil for everything
	Trace   func(engine string, dir byte, line []byte) // sees every line; may be nil
	Wrap    func(*Conn) game.Conn                      // replaces the connection of the session; may be nil
	Machine Machine                                    // what the processors did; nil: this machine
}

// New is a Player that is not started. A dialect whose arguments are those of one seat serves
// only that one.
func New(spec arena.EngineSpec, dialect game.Dialect, seat game.Seat, limit arena.Limit, opts Options) *Player {
	if opts.Machine == nil {
		opts.Machine = proc.Machine{}
	}
	return &Player{
		spec: spec, dialect: dialect, seat: seat, limit: limit, opts: opts, bye: byeLimit,
		judge: Judge{Machine: opts.Machine, CPUs: spec.CPUs},
	}
}

// Face names the opponent, which should not think while this engine is asked. Where both are
// asked together it may, until it has [Player.Answered].
func (p *Player) Face(rival *Player, together bool) {
	p.judge.Rival = nil
	if rival.proc == nil {
		return
	}
	clock := rival.proc.CPUNow
	if together {
		clock, rival.answered = afterwards(clock)
	}
	p.judge.Rival = clock
}

// afterwards is the part of the time of a clock that comes after a call of from, which must not
// come twice.
func afterwards(clock func() time.Duration) (after func() time.Duration, from func()) {
	var begun atomic.Int64 // 1 ns more, 0 before the call
	after = func() time.Duration {
		if at := begun.Load(); at > 0 {
			return clock() - time.Duration(at-1)
		}
		return 0
	}
	return after, func() { begun.Store(int64(clock()) + 1) }
}

// Answered notes that this engine has moved in a turn of both: from now on it should not think.
func (p *Player) Answered() {
	if p.answered != nil {
		p.answered()
	}
}

// Name is the engine's name in the plan.
func (p *Player) Name() string { return p.spec.Name }

// Spec is the engine's entry in the plan.
func (p *Player) Spec() *arena.EngineSpec { return &p.spec }

// Info is the engine's description of itself.
func (p *Player) Info() game.Info { return p.info }

// Conn is the connection, nil before Start.
func (p *Player) Conn() *Conn { return p.conn }

// Process is the process, nil before Start.
func (p *Player) Process() *proc.Process { return p.proc }

// Alive reports whether the engine runs and has not faulted. If its exit has
// begun, Alive waits for it.
func (p *Player) Alive() bool {
	if p.session == nil || p.conn.Fault() != nil {
		return false
	}
	_, over := p.proc.Exited()
	if !over && p.spec.Memory == 0 && !p.proc.InputClosed() { // what /proc says of it takes a hundred times as long
		return true
	}
	if p.proc.Ending() {
		p.proc.AwaitEnd(endLimit, nil)
		return false
	}
	return true
}

// Start starts a new process and dials it. rules is a start of the match, for
// dialects that need the size beforehand. The error is a *game.Fault of the
// engine, a *proc.StartError, or the arena's own.
func (p *Player) Start(ctx context.Context, rules game.Position) error {
	p.Kill()
	if err := files.Unchanged(p.spec.Name, p.spec.Hashed); err != nil {
		return err
	}
	argv := slices.Concat(p.spec.Through, p.spec.Command, p.dialect.Args(p.seat))
	pr, err := p.opts.Spawner.Start(proc.Spec{
		Argv: argv, Dir: p.spec.Dir, Env: p.spec.Env, CPUs: p.spec.CPUs, Memory: p.spec.Memory,
		Plays: true, Box: p.opts.Box, Self: p.spec.Self(),
	})
	if err != nil {
		return err
	}
	p.proc, p.conn = pr, NewConn(pr)
	if p.opts.Trace != nil {
		p.conn.trace = func(dir byte, line []byte) { p.opts.Trace(p.spec.Name, dir, line) }
	}
	p.conn.Arm(p.starting())
	var conn game.Conn = p.conn
	if p.opts.Wrap != nil {
		conn = p.opts.Wrap(p.conn)
	}
	moveTime := p.limit.Move
	if p.limit.CPU > 0 { // what the clock allows at most: it is stopped before
		moveTime = p.limit.Longest()
	}
	session, info, err := p.dialect.Dial(ctx, conn, game.Options{
		Set: p.spec.Options, Protocol: p.spec.Dialect, Rules: rules, MoveTime: moveTime, Builtin: p.spec.Builtin,
	})
	if err = p.settle(ctx, err); err != nil {
		return err
	}
	p.session, p.info, p.starts = session, info, info.Silent
	p.conn.discardCPU()
	p.conn.keepInput()
	if p.warms() {
		if err = p.warm(ctx, rules); err != nil {
			p.session = nil
		}
		p.conn.keepInput()
	}
	return err
}

// starting are the limits of a start.
func (p *Player) starting() Limits {
	return Limits{Hard: cmp.Or(p.limit.Start, startLimit), Kind: game.FaultStartTimeout}
}

// settle flushes queued output after a call and classifies its error.
func (p *Player) settle(ctx context.Context, err error) error {
	if err == nil {
		err = p.conn.Flush(ctx)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, game.ErrSoft):
		return &game.Fault{Kind: game.FaultTimeout, Detail: "no answer at the limit"}
	}
	fault, _ := errors.AsType[*game.Fault](err)
	if fault != nil && fault.Kind == game.FaultProtocol {
		err = cmp.Or(p.conn.died(), err) // half a line breaks any protocol
		fault, _ = errors.AsType[*game.Fault](err)
	}
	switch {
	case fault == nil:
		return err
	case fault.Kind == game.FaultMemory:
		detail := fmt.Sprintf("%s, %d MiB allowed", fault.Detail, p.spec.Memory>>20)
		return &game.Fault{Kind: fault.Kind, Detail: detail}
	}
	return fault
}

// off arms the limits of a call off the clock. phase is the time that the protocol gives
// the engine in this call, 0 if none.
func (p *Player) off(phase time.Duration) {
	p.conn.NewMove()
	limits := Limits{
		Hard: cmp.Or(p.limit.Sync, syncLimit), Kind: game.FaultTimeout, Detail: "not ready", Judge: &p.judge,
	}
	if phase > 0 {
		limits.Soft, limits.Hard, limits.Judge = phase, phase+p.limit.Grace+syncLimit, nil
	}
	p.conn.Arm(limits)
}

// Fits returns an error if the engine cannot play from pos.
func (p *Player) Fits(pos game.Position) error { return p.session.Fits(pos) }

// Seat begins a game. Of an engine that may speak another dialect it finds out which. The
// error may be an *Unfit.
func (p *Player) Seat(ctx context.Context, seat game.Seat, at *game.History) error {
	p.playing = seat
	err := p.begin(ctx, at)
	if again, instead := p.redial(ctx, at, err); again {
		return instead
	}
	return err
}

// begin begins a game in the seat.
func (p *Player) begin(ctx context.Context, at *game.History) error {
	p.conn.newGame()
	p.off(p.info.Preparation)
	if p.starts {
		p.conn.Arm(p.starting())
	}
	err := p.heard(ctx, p.session.Seat(ctx, p.playing, at))
	if p.starts && err == nil {
		// A new process whose protocol has no word for ready is so when it has read what
		// was sent to it: its start is not on the clock of its first move.
		limits := p.starting()
		limits.Detail = "it has not read the first lines sent to it"
		p.conn.Arm(limits)
		err = p.settle(ctx, p.conn.awaitRead(ctx))
		p.starts = err != nil
	}
	p.conn.discardCPU()
	return err
}

// Sync brings the engine up to date before the question.
func (p *Player) Sync(ctx context.Context, at *game.History) error {
	p.off(0)
	return p.heard(ctx, p.session.Sync(ctx, at))
}

// Answer is a reply and its cost.
type Answer struct {
	game.Reply
	Wall time.Duration // from the question's first byte to the answer's last
	CPU  time.Duration
	Idle time.Duration // CPU used between the last turn and this question
}

// Go asks for one action under limits and waits for the answer. An engine that turns out to
// speak another dialect is asked again in that.
func (p *Player) Go(ctx context.Context, ask game.Ask, limits Limits) (Answer, error) {
	if err := p.Ask(ctx, ask, limits); err != nil {
		return p.measure(ctx, game.Reply{}, err)
	}
	reply, err := p.session.Answer(ctx)
	if fault, _ := errors.AsType[*game.Fault](err); fault != nil && fault.Kind == game.FaultProtocol {
		again, instead := p.redial(ctx, ask.History, err)
		switch {
		case again && instead != nil:
			return Answer{}, instead
		case again:
			if err := p.Sync(ctx, ask.History); err != nil {
				return Answer{}, err
			}
			return p.Go(ctx, ask, limits)
		}
	}
	return p.measure(ctx, reply, err)
}

// Ask asks for one action under limits. It does not wait for the answer.
func (p *Player) Ask(ctx context.Context, ask game.Ask, limits Limits) error {
	limits.Kind, limits.Judge = game.FaultTimeout, &p.judge
	limits.Cores = cmp.Or(len(p.spec.CPUs), runtime.NumCPU())
	p.conn.Arm(limits)
	return p.settle(ctx, p.session.Ask(ask))
}

// Answer waits for the answer to the last Ask.
func (p *Player) Answer(ctx context.Context) (Answer, error) {
	reply, err := p.session.Answer(ctx)
	return p.measure(ctx, reply, err)
}

// measure adds the cost to a reply.
func (p *Player) measure(ctx context.Context, reply game.Reply, err error) (Answer, error) {
	if err == nil && p.conn.Fault() != nil {
		p.conn.ClearFault() // the session has what it needs: the engine's last line before the limit
	}
	err = p.settle(ctx, err)
	p.moved = p.moved || err == nil
	answer := Answer{Reply: reply, Wall: p.conn.elapsed()}
	answer.CPU, answer.Idle = p.conn.Used()
	if err != nil {
		p.conn.hear(ctx, func(ctx context.Context) error {
			_, err := p.session.Answer(ctx)
			return err
		})
	}
	return answer, err
}

// heard is settle for a call off the clock.
func (p *Player) heard(ctx context.Context, err error) error {
	if err = p.settle(ctx, err); err != nil {
		p.conn.hear(ctx, func(ctx context.Context) error { // whatever it says, it lives
			_, err := p.conn.Recv(ctx)
			return err
		})
	}
	return err
}

// End tells the engine that the game is over.
func (p *Player) End(ctx context.Context, at *game.History, outcome game.Outcome) error {
	p.off(p.info.Afterwards)
	return p.settle(ctx, p.session.End(ctx, at, outcome))
}

// Idle is the CPU time used since the end of its last turn.
func (p *Player) Idle() time.Duration { return p.conn.Idle() }

// List asks the engine for the legal moves of pos.
func (p *Player) List(ctx context.Context, pos game.Position) ([]string, error) {
	p.off(0)
	p.conn.listing(true)
	defer p.conn.listing(false)
	moves, err := p.session.List(ctx, pos)
	return moves, p.settle(ctx, err)
}
