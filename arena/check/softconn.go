package check

import (
	"bytes"
	"context"
	"errors"

	"thera/arena/player"
	"thera/engine/game"
)

// softConn is a connection that calls a hook at the soft limit, before the
// session sees the limit.
type softConn struct {
	*player.Conn
	atSoft  func(ctx context.Context) error // runs once; its error ends the call
	soft    bool                            // the limit of this question has passed
	stopped bool                            // ... and the session sent something then
	heard   bool                            // a line has come since the last one was sent
	held    [][]byte                        // lines that the hook read and the session has still to see
}

// hold keeps a copy of a line for the session; blank ones are dropped.
func (c *softConn) hold(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		c.held = append(c.held, bytes.Clone(line))
	}
}

func (c *softConn) next() (line []byte, ok bool) {
	if len(c.held) == 0 {
		return nil, false
	}
	line, c.held = c.held[0], c.held[1:]
	return line, true
}

// Pending hands lines on.
func (c *softConn) Pending() ([]byte, bool) {
	if line, ok := c.next(); ok {
		return line, true
	}
	return c.Conn.Pending()
}

// Send passes a line on.
func (c *softConn) Send(text []byte) error {
	c.stopped = c.stopped || c.soft
	c.heard = c.heard && c.soft // after stop, what came before it counts
	return c.Conn.Send(text)
}

// Recv hands lines on.
func (c *softConn) Recv(ctx context.Context) ([]byte, error) {
	if line, ok := c.next(); ok {
		return line, nil
	}
	text, err := c.Conn.Recv(ctx)
	if do := c.atSoft; errors.Is(err, game.ErrSoft) && do != nil {
		c.atSoft = nil
		c.soft = false // lines sent by the hook are not the session's
		if err := do(ctx); err != nil {
			return nil, err
		}
	}
	c.soft = c.soft || errors.Is(err, game.ErrSoft)
	c.heard = c.heard || err == nil
	return text, err
}
