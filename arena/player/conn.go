package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// Conn is one engine's connection. It is used by one goroutine. The end of the
// context wakes a wait.
type Conn struct {
	pipe Pipe
	caps caps

	out []byte // queued lines

	buf      []byte // buf[from:to] is read and not yet returned
	from, to int
	scanned  int // buf[from:scanned] holds no newline
	first    bool
	bytes    int // since NewMove
	lines    int

	ctx     context.Context
	unwatch func() bool

	limits   Limits
	began    bool
	wrote    bool // some bytes sent since Arm were written
	t0, last time.Time
	cpu0     time.Duration // the CPU clock when the call began
	cpu      time.Duration // ... when it was last read
	cpuAt    time.Time
	before   reading       // the one before that
	mark     time.Duration // ... when the last measured call ended
	settled  time.Time     // the time of mark
	softDone bool
	heardOut [limitKinds]bool // output from before the limit has been read
	late     time.Duration    // by which the arena woke after the hard limit
	spared   time.Duration    // by which the limit was moved: the arena woke too late before that, or was away
	stuck    time.Duration    // that the engine did not read its input, since the last wait
	said     int              // bytes of lines that were returned since the last wait
	idle     spending
	window   window
	sights   chan sight // the look at the engine's threads that is going on, nil if none is
	stall    Stall

	ended    bool      // no more output will come
	cut      bool      // ... and the last line returned had no end
	inClosed bool      // nobody reads the engine's input
	refused  time.Time // when a question could not be written; zero if none
	fault    *game.Fault

	notes
}

// NewConn is a Conn over pipe.
func NewConn(pipe Pipe) *Conn {
	return &Conn{pipe: pipe, caps: playCaps, first: true, buf: make([]byte, 8<<10)}
}

// Arm sets the limits of the calls that follow.
func (c *Conn) Arm(l Limits) {
	c.limits = l
	c.began, c.wrote, c.softDone, c.window.open, c.sights = false, false, false, false, nil
	c.t0, c.last, c.refused, c.late, c.spared, c.stall = time.Time{}, time.Time{}, time.Time{}, 0, 0, Stall{}
	c.heardOut, c.idle = [limitKinds]bool{}, spending{}
}

// Listing says whether the engine is asked for a list of all legal moves, a line of
// up to 64 MiB. Else a line has 1 MiB at most, and a move 64 MiB and 200,000 lines.
func (c *Conn) Listing(on bool) {
	c.caps = playCaps
	if on {
		c.caps = listCaps
	}
}

// NewMove resets the count of lines and bytes.
func (c *Conn) NewMove() { c.bytes, c.lines = 0, 0 }

// Fault is the fault that ended the connection, nil while it is usable.
func (c *Conn) Fault() *game.Fault { return c.fault }

// Release forgets the context of the last call.
func (c *Conn) Release() {
	if c.unwatch != nil {
		c.unwatch()
	}
	c.ctx, c.unwatch = nil, nil
}

// bind lets ctx wake a wait in progress.
func (c *Conn) bind(ctx context.Context) error {
	if ctx != c.ctx {
		c.Release()
		c.ctx = ctx
		if ctx.Done() != nil {
			c.unwatch = context.AfterFunc(ctx, c.pipe.Wake)
		}
	}
	return ctx.Err()
}

// begin starts the clock before the first byte is written.
func (c *Conn) begin() {
	if !c.began {
		c.began = true
		c.t0 = time.Now()
		c.last = c.t0
		if c.limits.HardCPU > 0 || c.t0.Sub(c.settled) >= 4*shortest {
			c.readCPU(c.t0)
			c.t0 = time.Now() // reading the CPU clock is not on the engine's time
		}
		c.cpu0 = c.cpu
	}
}

// Send queues one line.
func (c *Conn) Send(line []byte) error {
	c.out = append(append(c.out, line...), '\n')
	c.record('>', line)
	return nil
}

// Flush writes what is queued.
func (c *Conn) Flush(ctx context.Context) error {
	if len(c.out) == 0 {
		return nil
	}
	if c.fault != nil {
		c.out = c.out[:0]
		return c.fault
	}
	if err := c.bind(ctx); err != nil {
		return err
	}
	var now time.Time
	if c.began {
		now = time.Now()
	} else {
		c.begin()
		now = c.t0
	}
	rest := c.out
	for len(rest) > 0 && !c.inClosed {
		n, err := c.pipe.Write(rest, c.limits.Hard-now.Sub(c.t0))
		rest = rest[n:]
		c.wrote = c.wrote || n > 0
		switch {
		case err == nil:
		case errors.Is(err, proc.ErrClosed):
			c.inClosed = true // output that is already in the pipe is read first
		case errors.Is(err, proc.ErrReadable):
			if c.room() == 0 {
				return c.fail(game.FaultFlood, "over %d bytes said while it does not read its input", c.caps.line)
			}
			err = c.fill(c.tryRead())
		case errors.Is(err, proc.ErrDeadline):
			if !c.pipe.Ending() {
				return c.overtime(time.Now(), "it does not read its input")
			}
			c.inClosed = true // Recv waits for the exit
		case errors.Is(err, proc.ErrWoken):
			err = c.woken()
			c.inClosed = c.inClosed || c.ended
		}
		if len(rest) > 0 {
			if err != nil && !c.inClosed && !isWait(err) {
				return err
			}
			before := now
			now = time.Now()
			if n == 0 { // it waited for room
				c.stuck += now.Sub(before)
			}
		}
	}
	if c.inClosed && !c.wrote && c.refused.IsZero() {
		c.refused = now
	}
	c.out = c.out[:0]
	if cap(c.out) > 1<<20 {
		c.out = nil
	}
	return nil
}

func isWait(err error) bool {
	return errors.Is(err, proc.ErrReadable) || errors.Is(err, proc.ErrWoken)
}

func (c *Conn) tryRead() (int, error) {
	n, _, err := c.pipe.TryRead(c.buf[c.to:])
	return n, err
}

// Recv returns the engine's next line that is not blank.
func (c *Conn) Recv(ctx context.Context) ([]byte, error) {
	if err := c.Flush(ctx); err != nil {
		return nil, err
	}
	if err := c.bind(ctx); err != nil {
		return nil, err
	}
	c.begin()
	for {
		if c.fault != nil {
			return nil, c.fault
		}
		if line, ok, err := c.take(); ok || err != nil {
			return line, err
		}
		if c.ended {
			return nil, c.endFault(settle)
		}
		if err := c.wait(c.limits.Hard); err != nil {
			return nil, err
		}
	}
}

// awayLeast is more time than the arena takes between two waits if it has a core.
const awayLeast = 2 * time.Millisecond

// muchSaid are lines that keep the arena busy: what it takes to read more than that
// between two waits is the engine's doing.
const muchSaid = 16 << 10

// wait reads what comes next within most, or returns why nothing will come.
func (c *Conn) wait(most time.Duration) error {
	if c.room() == 0 {
		return c.fail(game.FaultFlood, "a line over %d bytes", c.caps.line)
	}
	now := c.last
	if now != c.t0 {
		now = time.Now()
		if away := now.Sub(c.last) - c.stuck; away > awayLeast {
			if c.said > muchSaid {
				away = min(away, c.fifth())
			}
			c.spare(away, now)
		}
	}
	c.stuck, c.said = 0, 0
	until, passed := c.next(now)
	if passed != noLimit {
		return c.pass(now, passed)
	}
	if end := now.Add(most); end.Before(until) {
		until = end
	}
	n, err := c.pipe.Read(c.buf[c.to:], until.Sub(now))
	switch {
	case errors.Is(err, proc.ErrDeadline):
		now = time.Now()
		c.overslept(now, until)
		c.last = now
		return nil // next returns the limit that passed
	case errors.Is(err, proc.ErrWoken):
		c.last = time.Now()
		return c.woken()
	}
	// The wait should have ended before now, so the answer came in time and
	// the arena was late.
	c.last = time.Now()
	if c.last.After(until) {
		if c.overdue(c.last) {
			return c.overtime(c.last, "")
		}
		c.last = until
	}
	return c.fill(n, err)
}

// woken finds out why a wait ended: the context, or the process.
func (c *Conn) woken() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if _, over := c.pipe.Exited(); over && !c.ended {
		return c.lastWords()
	}
	return nil
}

// lastWords reads what an exited engine left in the pipe. Another process may
// keep the other end open forever.
func (c *Conn) lastWords() error {
	for c.room() > 0 {
		n, ok, err := c.pipe.TryRead(c.buf[c.to:])
		if err != nil || !ok {
			c.ended = true
			break
		}
		if err := c.fill(n, nil); err != nil {
			return err
		}
	}
	return nil
}

// fill accounts for the result of a read.
func (c *Conn) fill(n int, err error) error {
	c.to += n
	c.bytes += n
	switch {
	case errors.Is(err, io.EOF):
		c.ended = true
		return nil
	case err != nil:
		return fmt.Errorf("reading an engine's output: %w", err)
	case c.bytes > c.caps.bytes:
		return c.fail(game.FaultFlood, "over %d bytes a move", c.caps.bytes)
	}
	return nil
}

// Pending returns a line that has already arrived. In a call that has begun,
// the line counts as read now.
func (c *Conn) Pending() ([]byte, bool) {
	for {
		if line, ok, err := c.take(); ok || err != nil || c.ended || c.fault != nil {
			return line, ok
		}
		if c.room() == 0 {
			_ = c.fail(game.FaultFlood, "a line over %d bytes", c.caps.line)
			return nil, false
		}
		n, ok, err := c.pipe.TryRead(c.buf[c.to:])
		if c.fill(n, err) != nil || !ok {
			return nil, false
		}
		if c.began {
			c.last = time.Now()
		}
	}
}
