package remote

import (
	"context"

	"github.com/nats-io/nats.go"
)

// Conn is a connection to others, over which hosts and workers speak: NATS, or in tests a network in memory.
type Conn interface {
	// PublishMsg sends a message, which may be lost.
	PublishMsg(msg *nats.Msg) error

	// RequestWithContext sends a message with a subject for answers, and returns the first answer.
	RequestWithContext(ctx context.Context, subject string, data []byte) (*nats.Msg, error)

	// Listen has a function called with what is sent to a subject, one message after the other, until stop. That
	// returns when the function is not running any more.
	Listen(subject string, h nats.MsgHandler) (stop func(), err error)

	// MaxPayload is the most bytes of a message.
	MaxPayload() int64

	// Close ends the connection. What was sent goes out before.
	Close()
}

// NATS is a Conn.
type NATS struct{ *nats.Conn }

// Listen implements Conn.
func (c NATS) Listen(subject string, h nats.MsgHandler) (stop func(), err error) {
	sub, err := c.Subscribe(subject, h)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	sub.SetClosedHandler(func(string) { close(ended) })
	return func() {
		if sub.Unsubscribe() == nil { // Drain would wait for a server that is gone
			<-ended
		}
	}, nil
}
