package player

import (
	"context"
	"time"

	"thera/engine/game"
)

// readEvery is how often AwaitRead looks whether the engine has read.
const readEvery = time.Millisecond

// AwaitRead waits until the engine has read all that was sent to it, at most until
// the hard limit. What the engine says meanwhile stays to be received. It does
// not wait, and known is false, where the system does not say what was read.
func (c *Conn) AwaitRead(ctx context.Context) (known bool, err error) {
	if err := c.Flush(ctx); err != nil {
		return true, err
	}
	c.begin()
	for {
		unread, known := c.pipe.Unread()
		switch {
		case !known || unread == 0 && !c.inClosed:
			return known, nil
		case c.fault != nil:
			return true, c.fault
		case c.ended || c.inClosed || c.pipe.InputClosed():
			return true, c.endFault(settle)
		case c.room() == 0:
			return true, c.fail(game.FaultFlood, "over %d bytes said while it does not read its input", c.caps.line)
		}
		if err := c.bind(ctx); err != nil {
			return true, err
		}
		if err := c.wait(readEvery); err != nil {
			return true, err
		}
	}
}
