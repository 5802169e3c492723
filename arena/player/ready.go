package player

import (
	"context"
	"time"
)

// readEvery is how often awaitRead looks whether the engine has read.
const readEvery = time.Millisecond

// awaitRead waits until the engine has read all that was sent to it, at most until
// the hard limit. What the engine says meanwhile stays to be received. It does
// not wait where the system does not say what was read.
func (c *Conn) awaitRead(ctx context.Context) error {
	if err := c.Flush(ctx); err != nil {
		return err
	}
	for {
		if err := c.enter(ctx); err != nil {
			return err
		}
		unread, known := c.pipe.Unread()
		switch {
		case !known:
			c.Warn("its start counts as thinking: its protocol has no word for ready, " +
				"and this system does not say what an engine has read")
			return nil
		case unread == 0 && !c.inClosed:
			return nil
		case c.ended || c.inClosed || c.pipe.InputClosed():
			return c.endFault()
		}
		if err := c.wait(readEvery); err != nil {
			return err
		}
	}
}
