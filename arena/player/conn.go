package player

import (
	"context"
	"errors"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// A Conn carries lines to and from one engine. It implements game.Conn
// over a process's pipes, with absolute deadlines and caps on output. It keeps
// the last lines of the conversation for the report of a fault.
//
// It knows no protocol. It refuses to buffer: an engine that writes unasked
// fills its pipe and blocks. It is used by one goroutine, and has none of its own
// but for a look at a busy machine. The end of the context wakes a wait.
//
// A limit that passes is the engine's fault unless the machine provably took
// the time. Judge says what is proof, and who could gain by it.
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

	clock
	limits   Limits
	began    bool
	wrote    bool      // some bytes sent since Arm were written
	t0, last time.Time // t0 moves by what the arena was late
	softDone bool
	heardOut [limitKinds]bool // output from before the limit has been read
	spared   time.Duration    // by which t0 was moved
	again    bool             // the hard limit was given again
	said     bool             // a line was returned since the last wait
	idle     reading          // when it began to use next to no CPU time
	window   chan window      // nil before the look at the machine
	stall    Stall

	ended    bool // no more output will come
	cut      bool // ... and the last line returned had no end
	inClosed bool // nobody reads the engine's input
	fault    *game.Fault

	notes
}

// NewConn is a Conn over pipe.
func NewConn(pipe Pipe) *Conn {
	return &Conn{pipe: pipe, caps: playCaps, first: true, buf: make([]byte, firstSize), ctx: context.Background()}
}

// Arm sets the limits of the calls that follow.
func (c *Conn) Arm(l Limits) {
	c.limits = l
	c.began, c.wrote, c.softDone, c.again, c.window = false, false, false, false, nil
	c.t0, c.last, c.spared, c.stall = time.Time{}, time.Time{}, 0, Stall{}
	c.heardOut, c.idle = [limitKinds]bool{}, reading{}
}

// listing says whether the engine is asked for a list of all legal moves, a line of
// up to 64 MiB. Else a line has 1 MiB at most, and a move 64 MiB and 200,000 lines.
func (c *Conn) listing(on bool) {
	c.caps = playCaps
	if on {
		c.caps = listCaps
	}
}

// NewMove resets the count of lines and bytes.
func (c *Conn) NewMove() { c.bytes, c.lines = 0, 0 }

// Fault is the fault that ended the connection, nil while it is usable.
func (c *Conn) Fault() *game.Fault { return c.fault }

// release forgets the context of the last call.
func (c *Conn) release() {
	if c.unwatch != nil {
		c.unwatch()
	}
	c.ctx, c.unwatch = context.Background(), nil
}

// bind lets ctx wake a wait in progress.
func (c *Conn) bind(ctx context.Context) error {
	if ctx != c.ctx {
		c.release()
		c.ctx = ctx
		if ctx.Done() != nil {
			c.unwatch = context.AfterFunc(ctx, c.pipe.Wake)
		}
	}
	return ctx.Err()
}

// enter begins a call of the session, and the clock with the first of them since Arm: before
// the first byte is written.
func (c *Conn) enter(ctx context.Context) error {
	if c.fault != nil {
		return c.fault
	}
	if err := c.bind(ctx); err != nil || c.began {
		return err
	}
	c.began = true
	c.t0 = time.Now()
	if c.limits.HardCPU > 0 || c.t0.Sub(c.settled) >= 4*shortest {
		c.readCPU(c.t0, c.used())
		c.t0 = time.Now() // reading the CPU clock is not on the engine's time
	}
	c.last = c.t0
	c.cpu0 = c.cpu
	return nil
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
	rest := c.out
	c.out = c.out[:0]
	if err := c.enter(ctx); err != nil {
		return err
	}
	for len(rest) > 0 && !c.inClosed {
		n, err := c.pipe.Write(rest, c.limits.Hard-time.Since(c.t0))
		rest = rest[n:]
		c.wrote = c.wrote || n > 0
		switch {
		case errors.Is(err, proc.ErrClosed):
			c.inClosed = true // output that is already in the pipe is read first
			return nil
		case errors.Is(err, proc.ErrReadable):
			_, err = c.tryRead(leastRead)
		case errors.Is(err, proc.ErrDeadline):
			if !c.pipe.Ending() {
				return c.overtime(time.Now(), "it does not read its input")
			}
			c.inClosed, err = true, nil // Recv waits for the exit
		case errors.Is(err, proc.ErrWoken):
			err = c.woken()
			c.inClosed = c.inClosed || c.ended
		}
		if err != nil {
			return err
		}
		if len(rest) > 0 { // what it took to write is the engine's time
			c.last = time.Now()
		}
	}
	return nil
}

// Recv returns the engine's next line that is not blank.
func (c *Conn) Recv(ctx context.Context) ([]byte, error) {
	if err := c.Flush(ctx); err != nil {
		return nil, err
	}
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	for c.fault == nil {
		if line, ok, err := c.take(); ok || err != nil {
			return line, err
		}
		switch {
		case c.ended:
			return nil, c.endFault()
		case c.inClosed && !c.wrote && c.limits.Kind != game.FaultStartTimeout:
			// An engine that never read the question will not answer it. At its start it
			// may have nothing to read.
			had := c.to
			if err := c.wait(exitSoon); err != nil {
				return nil, err
			}
			if c.to == had && !c.ended {
				return nil, c.endFault()
			}
		default:
			if err := c.wait(c.limits.Hard); err != nil {
				return nil, err
			}
		}
	}
	return nil, c.fault
}

// wait reads what comes next within most, or returns why nothing will come.
func (c *Conn) wait(most time.Duration) error {
	if err := c.room(leastRead); err != nil {
		return err
	}
	now := c.last
	if now != c.t0 { // otherwise the call began now
		now = time.Now()
		c.away(now)
	}
	c.said = false
	left, passed := c.next(now)
	if passed != noLimit {
		return c.pass(now, passed)
	}
	left = min(left, most)
	n, err := c.pipe.Read(c.buf[c.to:], left)
	c.last = time.Now()
	until := now.Add(left)
	switch {
	case errors.Is(err, proc.ErrDeadline):
		c.overslept(now, until)
		return nil // next returns the limit that passed
	case errors.Is(err, proc.ErrWoken):
		return c.woken()
	}
	if c.last.After(until) { // the wait should have ended: it had come before
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
	for !c.ended {
		there, err := c.tryRead(leastRead)
		if err != nil {
			return err
		}
		c.ended = c.ended || !there
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
		if there, err := c.tryRead(leastRead); err != nil || !there {
			return nil, false
		}
		if c.began {
			c.last = time.Now()
		}
	}
}
