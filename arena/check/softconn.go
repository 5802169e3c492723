package check

import (
	"context"
	"errors"

	"thera/arena/conn"
	"thera/engine/game"
)

// softConn is a connection that calls a hook at the soft limit, before the
// session sees the limit.
type softConn struct {
	*conn.Conn
	atSoft  func(ctx context.Context) error // runs once; its error ends the call
	soft    bool                            // the limit of this question has passed
	stopped bool                            // ... and the session sent something then
}

// Send passes a line on.
func (c *softConn) Send(text []byte) error {
	c.stopped = c.stopped || c.soft
	return c.Conn.Send(text)
}

// Recv hands lines on.
func (c *softConn) Recv(ctx context.Context) ([]byte, error) {
	text, err := c.Conn.Recv(ctx)
	if do := c.atSoft; errors.Is(err, game.ErrSoft) && do != nil {
		c.atSoft = nil
		c.soft = false // lines sent by the hook are not the session's
		if err := do(ctx); err != nil {
			return nil, err
		}
	}
	c.soft = c.soft || errors.Is(err, game.ErrSoft)
	return text, err
}
