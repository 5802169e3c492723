package tcp

import (
	"bytes"
	"context"
	"errors"

	"thera/engine/game"
	"thera/engine/pyrat/protocol"
	"thera/engine/pyrat/rules"
)

// Dialect is the conversation with the adapter of a bot: the text protocol, and a line for
// what the bot does wrong.
type Dialect struct{ protocol.Dialect }

// NewDialect returns the dialect.
func NewDialect() Dialect { return Dialect{protocol.Dialect{Adapted: true}} }

// Name is "tcp".
func (Dialect) Name() string { return "tcp" }

// Bye ends an adapter, by which its bot loses the connection.
func (Dialect) Bye() string { return "quit" }

// Dial waits until the bot has connected, and sets its options.
func (d Dialect) Dial(ctx context.Context, c game.Conn, opts game.Options) (game.Session, game.Info, error) {
	conn := &faulty{Conn: c}
	s, info, err := d.Dialect.Dial(ctx, conn, opts)
	info.Protocol = d.Name()
	if err != nil {
		return nil, info, err
	}
	return session{s, conn}, info, nil
}

// session is a conversation about one game.
type session struct {
	game.Session
	conn game.Conn
}

// Fits refuses what the bot's messages cannot hold.
func (s session) Fits(pos game.Position) error {
	if err := s.Session.Fits(pos); err != nil {
		return err
	}
	return fits(pos.(*rules.Position))
}

// End lets the bot end, which it does by itself when the game is over, and ends the adapter, which
// is for one game: a bot that hangs is not asked to prepare for the next one.
func (s session) End(ctx context.Context, line *game.History, outcome game.Outcome) error {
	err := s.Session.End(ctx, line, outcome)
	if err == nil {
		err = s.conn.Send([]byte(NewDialect().Bye()))
	}
	for err == nil || errors.Is(err, game.ErrSoft) {
		_, err = s.conn.Recv(ctx)
	}
	fault, _ := errors.AsType[*game.Fault](err)
	switch {
	case fault == nil:
	case fault.Kind == game.FaultExited && fault.Detail == "0", fault.Kind == game.FaultClosedOut, fault.Kind == game.FaultClosedIn:
		return nil
	}
	return err
}

// faulty is a connection whose lines may say what a bot did wrong. After such a line nothing more
// can be said to the bot.
type faulty struct {
	game.Conn
	fault *game.Fault
}

func (c *faulty) Send(line []byte) error {
	if c.fault != nil {
		return c.fault
	}
	return c.Conn.Send(line)
}

func (c *faulty) Recv(ctx context.Context) ([]byte, error) {
	if c.fault != nil {
		return nil, c.fault
	}
	line, err := c.Conn.Recv(ctx)
	if err == nil && c.see(line) {
		return nil, c.fault
	}
	return line, err
}

func (c *faulty) Pending() ([]byte, bool) {
	line, ok := c.Conn.Pending()
	if ok && c.see(line) {
		return nil, false
	}
	return line, ok
}

func (c *faulty) see(line []byte) bool {
	if text, found := bytes.CutPrefix(line, []byte(faultWord+" ")); found {
		c.fault = game.Protocolf("%s", text)
	}
	return c.fault != nil
}
