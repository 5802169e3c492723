package remote

import (
	"context"

	"github.com/nats-io/nats.go"
)

// Conn is a connection over which hosts and workers exchange messages: NATS, or in tests a
// network in memory.
type Conn interface {
	// PublishMsg sends a message, which may be lost.
	PublishMsg(msg *nats.Msg) error

	// RequestWithContext sends a message with a subject for answers, and returns the first answer.
	RequestWithContext(ctx context.Context, subject string, data []byte) (*nats.Msg, error)

	// Listen calls h with each message to a subject, one after the other, until stop is called.
	// stop returns when h no longer runs.
	Listen(subject string, h nats.MsgHandler) (stop func(), err error)

	// MaxPayload returns the largest size of a message in bytes.
	MaxPayload() int64

	// Close closes the connection when all messages are sent.
	Close()
}

// NATS is a Conn to a NATS server.
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
