// Package check tests one engine's protocol point by point.
//
// It knows no game: rules and protocol come from engine/game. It refuses to
// judge strength. It does not stop at the first fault: it restarts a dead
// engine for the next point.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// Status is the result of a point.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Skipped Status = "skipped" // it does not apply; the detail says why
	Differs Status = "differs" // the rules differ, and neither side is at fault
)

// Finding is one point of the list.
type Finding struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`

	// With Failed: the end of the conversation, "> " before lines sent and "< " before
	// lines received, and of stderr.
	Said   []string `json:"last_lines,omitempty"`
	Stderr []string `json:"stderr,omitempty"`
}

// Checklist is the whole list.
type Checklist struct {
	Game     string    `json:"game"`
	Engine   string    `json:"engine"` // as the engine names itself
	Author   string    `json:"author"`
	Protocol string    `json:"protocol"`
	Features []string  `json:"features"`
	Findings []Finding `json:"findings"`
	Failed   int       `json:"failed"`
}

// Options configure a check.
type Options struct {
	Game game.Game
	Spec arena.EngineSpec
	// Limit is what ordinary questions get; without a kind a short time. Start, Sync,
	// Grace and MaxMove: zero means 10 s, 2 s, 100 ms and 2 s more than the limit.
	Limit     arena.Limit
	Positions int // how many positions have their move lists compared; 0 means 300
	Seed      uint64
	Box       *sandbox.Box   // what the engine may touch; nil for everything
	Each      func(Finding)  // called for each finding; may be nil
	Machine   player.Machine // what the processors did; nil: this machine

	// Tolerant is whether engines of this game play by rules that differ: a list with
	// other moves differs, and only moves that the referee refuses are a fault.
	Tolerant bool
}

// Run checks one engine. The error is that of a program that cannot be started, of the
// arena itself, or of ctx.
func Run(ctx context.Context, opts Options) (*Checklist, error) {
	c, err := newChecker(opts)
	if err != nil {
		return nil, err
	}
	defer c.spawner.Close()
	defer c.player.Kill()
	r := &Checklist{Game: opts.Game.Name(), Features: []string{}}
	for i, p := range c.points() {
		f, err := c.look(ctx, p)
		if err != nil {
			return nil, err
		}
		f.Number, f.Name = i+1, p.name
		if f.Status == Failed {
			r.Failed++
			f.Said, f.Stderr = c.lastWords()
		}
		r.Findings = append(r.Findings, f)
		if opts.Each != nil {
			opts.Each(f)
		}
	}
	r.Engine, r.Author, r.Protocol = c.info.Name, c.info.Author, c.info.Protocol
	r.Features = append(r.Features, c.info.Features...)
	return r, nil
}

// How many last lines a finding keeps.
const (
	keepSaid   = 4
	keepStderr = 5
)

// lastWords are the last lines of the conversation and of stderr. The stderr of a
// process that has ended is complete.
func (c *checker) lastWords() (said, stderr []string) {
	if !c.player.Alive() {
		c.player.Kill()
	}
	if conn := c.player.Conn(); conn != nil {
		said = conn.Tail()
		said = said[max(0, len(said)-keepSaid):]
	}
	if text := strings.TrimRight(c.player.Stderr(), " \r\n"); text != "" {
		stderr = strings.Split(text, "\n")
		stderr = stderr[max(0, len(stderr)-keepStderr):]
	}
	return said, stderr
}

// point is one thing to check. Its error is an engine's fault or a finding in
// words; nil is ok with the detail.
type point struct {
	name  string
	fresh bool // needs a new process
	look  func(ctx context.Context) (string, error)
}

// finding is what a point found, in words. It may wrap the fault that it tells of.
type finding struct {
	status Status
	error
}

func (f finding) Unwrap() error { return errors.Unwrap(f.error) }

func found(s Status, format string, args ...any) error {
	return finding{s, fmt.Errorf(format, args...)}
}

// failf is a failure in words; %w wraps its fault.
func failf(format string, args ...any) error { return found(Failed, format, args...) }

type checker struct {
	Options
	dialect game.Dialect
	rng     *rand.Rand
	spawner *proc.Spawner
	start   game.Position
	player  *player.Player
	conn    *watched
	info    game.Info
	dead    bool // it never started: no other point applies
	started time.Duration
	asked   int
}

func newChecker(opts Options) (*checker, error) {
	opts.Limit.Grace = cmp.Or(opts.Limit.Grace, 100*time.Millisecond)
	opts.Limit.MaxMove = cmp.Or(opts.Limit.MaxMove, hard)
	opts.Positions = cmp.Or(opts.Positions, 300)
	c := &checker{Options: opts, rng: rand.New(rand.NewPCG(opts.Seed, 0x7E4A))}
	var err error
	if c.dialect, err = match.Dialect(opts.Game, opts.Spec.Protocol); err != nil {
		return nil, err
	}
	if c.start, err = opts.Game.Start(0, opts.Seed); err != nil {
		return nil, fmt.Errorf("the first start of %s: %w", opts.Game.Name(), err)
	}
	if c.spawner, err = proc.NewSpawner(); err != nil {
		return nil, err
	}
	c.player = player.New(opts.Spec, c.dialect, game.First, opts.Limit, player.Options{
		Spawner: c.spawner, Box: opts.Box, Machine: opts.Machine, Wrap: func(conn *player.Conn) game.Conn {
			c.conn = &watched{Conn: conn}
			return c.conn
		},
	})
	return c, nil
}

// tries is how often a point is looked at while the machine is too busy for it.
const tries = 4

// look checks one point.
func (c *checker) look(ctx context.Context, p point) (Finding, error) {
	for try := 1; ; try++ {
		f, err := c.try(ctx, p)
		conn := c.player.Conn()
		if err != nil || f.Status != Failed || conn == nil || conn.Fault() == nil || conn.Stall().Proof == "" {
			return f, err
		}
		if try == tries {
			return Finding{Status: Skipped, Detail: "not judged, the machine was busy: " + conn.Stall().Proof}, nil
		}
	}
}

// try starts the engine if needed and checks one point.
func (c *checker) try(ctx context.Context, p point) (Finding, error) {
	if c.dead {
		return Finding{Status: Skipped, Detail: "the engine does not start"}, nil
	}
	detail, err := "", error(nil)
	if p.fresh || !c.player.Alive() {
		err = c.bring(ctx)
	}
	if err == nil {
		detail, err = p.look(ctx)
	}
	fault, atFault := errors.AsType[*game.Fault](err)
	said, found := errors.AsType[finding](err)
	switch {
	case err == nil:
		return Finding{Status: OK, Detail: detail}, nil
	case ctx.Err() != nil:
		return Finding{}, ctx.Err()
	case found && said.status != Failed:
		return Finding{Status: said.status, Detail: said.Error()}, nil
	case atFault || found:
		return Finding{Status: Failed, Detail: err.Error() + c.silence(fault)}, nil
	}
	return Finding{}, err
}

// silence adds to the fault of a limit that passed that not a word came after the
// question.
func (c *checker) silence(fault *game.Fault) string {
	if fault == nil || fault.Kind != game.FaultTimeout || c.conn.heard || strings.Contains(fault.Detail, "expected") {
		return ""
	}
	return "; nothing came after the question (does it flush its output after each line?)"
}

// bring starts a new process and begins a game.
func (c *checker) bring(ctx context.Context) error {
	began := time.Now()
	if err := c.player.Start(ctx, c.start); err != nil {
		_, c.dead = errors.AsType[*game.Fault](err)
		return err
	}
	c.started = time.Since(began)
	c.info = c.player.Info()
	if err := c.player.Fits(c.start); err != nil {
		return failf("it refuses the standard start: %v", err)
	}
	err := c.player.Seat(ctx, game.First, game.Begin(c.start))
	if c.info = c.player.Info(); c.info.Silent {
		c.started = time.Since(began)
	}
	return err
}

// Dials reports whether the engine answers a dialect within two seconds. Where the
// protocol has no word for ready it must also make a move. The error is nil if it does
// and a *game.Fault if it does not.
func Dials(ctx context.Context, opts Options) error {
	opts.Limit = arena.Limit{Start: 2 * time.Second}
	c, err := newChecker(opts)
	if err != nil {
		return err
	}
	defer c.spawner.Close()
	defer c.player.Kill()
	err = c.bring(ctx)
	if err == nil && c.info.Silent && c.start.ToMove().Has(game.First) {
		_, err = c.checkMove(ctx)
	}
	if _, found := errors.AsType[finding](err); found && !errors.As(err, new(*game.Fault)) {
		return nil // it speaks, if badly
	}
	if errors.As(err, new(*game.Fault)) && !c.player.Alive() {
		if _, stderr := c.lastWords(); len(stderr) > 0 {
			err = fmt.Errorf("%w; the last line of its stderr: %s", err, stderr[len(stderr)-1])
		}
	}
	return err
}
