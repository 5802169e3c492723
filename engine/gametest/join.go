// Package gametest holds what the games' tests share: a connection from a game's
// client to its engine, replay of recorded sessions with real engines, checks
// of notation and of PROTOCOL.md, test vectors, and the switches for long tests
// and golden files.
//
// It knows no game. It does not decide whether a move is legal; the game's
// Position does.
package gametest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
)

// Conn is a game.Conn to an engine that runs on a goroutine of this process.
type Conn struct {
	in    *io.PipeWriter
	lines chan []byte // closed when the engine ends
	ended chan error

	mu       sync.Mutex
	out      []byte
	soft     time.Time
	hard     time.Time
	softDone bool
	notes    notes

	// NoWait makes Recv return game.ErrNoLine instead of waiting.
	NoWait bool
}

// notes are the warnings and unused lines of a session.
type notes struct {
	warnings []string
	passed   []string
}

// Server is an engine that speaks its protocol on in and out; every
// game.Engine is one.
type Server interface {
	Serve(ctx context.Context, args []string, in io.Reader, out, err io.Writer) error
}

// Join starts server's engine with args and returns a Conn to it. At the end of
// the test the engine's input is closed; it must then return nil within a minute.
func Join(t testing.TB, server Server, args ...string) *Conn {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &Conn{in: inW, lines: make(chan []byte, 1<<16), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := server.Serve(ctx, args, inR, outW, io.Discard)
		outW.Close()
		inR.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.lines)
		_ = protocol.Lines(outR, func(line []byte) bool {
			c.lines <- bytes.Clone(line)
			return true
		})
	}()
	c.Arm(time.Minute, 2*time.Minute)
	t.Cleanup(func() {
		defer cancel()
		inW.Close()
		select {
		case err := <-c.ended:
			if err != nil {
				t.Errorf("engine ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Errorf("engine still runs a minute after the end of its input")
		}
	})
	return c
}

// Arm sets the soft and the hard limit of the calls that follow, from now.
func (c *Conn) Arm(soft, hard time.Duration) {
	now := time.Now()
	c.soft, c.hard, c.softDone = now.Add(soft), now.Add(hard), false
}

// Send queues a line.
func (c *Conn) Send(line []byte) error {
	c.out = append(append(c.out, line...), '\n')
	return nil
}

// Flush sends the queued lines to the engine. Recv flushes first.
func (c *Conn) Flush() error {
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.in.Write(c.out)
	c.out = c.out[:0]
	if err != nil {
		return &game.Fault{Kind: game.FaultClosedIn}
	}
	return nil
}

// Recv returns the engine's next line.
func (c *Conn) Recv(ctx context.Context) ([]byte, error) {
	if err := c.Flush(); err != nil {
		return nil, err
	}
	if c.NoWait {
		if line, ok := c.Pending(); ok {
			return line, nil
		}
		return nil, game.ErrNoLine
	}
	limit := c.soft
	if c.softDone {
		limit = c.hard
	}
	timer := time.NewTimer(time.Until(limit))
	defer timer.Stop()
	select {
	case line, ok := <-c.lines:
		if !ok {
			return nil, &game.Fault{Kind: game.FaultExited, Detail: "0"}
		}
		return line, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		if !c.softDone {
			c.softDone = true
			return nil, game.ErrSoft
		}
		return nil, &game.Fault{Kind: game.FaultTimeout, Detail: "hard limit"}
	}
}

// Pending returns a line if one has arrived.
func (c *Conn) Pending() ([]byte, bool) {
	select {
	case line, ok := <-c.lines:
		return line, ok
	default:
		return nil, false
	}
}

// Warn records a warning.
func (c *Conn) Warn(text string) { c.note(func(n *notes) { n.warnings = append(n.warnings, text) }) }

// Passed records a line that the session did not use.
func (c *Conn) Passed(line []byte) {
	text := string(line)
	c.note(func(n *notes) { n.passed = append(n.passed, text) })
}

func (c *Conn) note(change func(*notes)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.notes)
}

// Warnings are the warnings so far.
func (c *Conn) Warnings() []string { return c.notes.warnings }

// PassedLines are the unused lines so far.
func (c *Conn) PassedLines() []string { return c.notes.passed }

// Go asks s and waits for its answer.
func Go(ctx context.Context, s game.Session, ask game.Ask) (game.Reply, error) {
	if err := s.Ask(ask); err != nil {
		return game.Reply{}, err
	}
	return s.Answer(ctx)
}

// Dialogue is a Conn whose lines a test writes and reads.
type Dialogue struct {
	T *testing.T
	*Conn
}

// Tell sends lines to the engine.
func (d Dialogue) Tell(lines ...string) {
	d.T.Helper()
	for _, line := range lines {
		if err := d.Send([]byte(line)); err != nil {
			d.T.Fatal(err)
		}
	}
	if err := d.Flush(); err != nil {
		d.T.Fatal(err)
	}
}

// Until returns the engine's lines up to one that begins with prefix, included.
func (d Dialogue) Until(prefix string) []string {
	d.T.Helper()
	d.Arm(5*time.Minute, 5*time.Minute)
	var lines []string
	for {
		line, err := d.Recv(d.T.Context())
		if err != nil {
			d.T.Fatalf("no %q: %v, after %q", prefix, err, lines)
		}
		lines = append(lines, string(line))
		if strings.HasPrefix(string(line), prefix) {
			return lines
		}
	}
}
