// Package gametest is the suite that every game runs in its own tests: its
// client joined to its own engine, recorded sessions of real engines replayed
// as scripted engines, notation read back, and PROTOCOL.md held to its tests.
//
// It is for tests only and knows no game. It refuses to be a referee: whether
// a move is legal is asked of the game's Position.
package gametest

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
)

// Conn is a game.Conn to an engine that runs on a goroutine of this process.
type Conn struct {
	in    *io.PipeWriter
	lines chan []byte // nil-closed when the engine ends
	ended chan error

	mu       sync.Mutex
	out      []byte
	soft     time.Time
	hard     time.Time
	softDone bool
	notes    notes
}

// notes is what a session remarked; shared by both kinds of Conn.
type notes struct {
	warnings []string
	passed   []string
}

// Join starts server's engine with args and returns a Conn to it. When the
// test ends the engine's input is closed and it must return nil within a minute.
func Join(t testing.TB, server game.Server, args ...string) *Conn {
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
		_ = protocol.Lines(outR, protocol.Newline, func(line []byte, err error) bool {
			if err != nil {
				line = []byte(err.Error())
			}
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

// Flush hands queued lines to the engine; Recv does it by itself.
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

// Pending returns a line that is already there.
func (c *Conn) Pending() ([]byte, bool) {
	select {
	case line, ok := <-c.lines:
		return line, ok
	default:
		return nil, false
	}
}

// Warn keeps a remark.
func (c *Conn) Warn(text string) { c.note(func(n *notes) { n.warnings = append(n.warnings, text) }) }

// Passed keeps a line that was of no use.
func (c *Conn) Passed(line []byte) {
	text := string(line)
	c.note(func(n *notes) { n.passed = append(n.passed, text) })
}

func (c *Conn) note(change func(*notes)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.notes)
}

// Warnings are the remarks so far.
func (c *Conn) Warnings() []string { return c.notes.warnings }

// PassedLines are the lines passed over so far.
func (c *Conn) PassedLines() []string { return c.notes.passed }
