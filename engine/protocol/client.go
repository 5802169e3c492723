// Package protocol has what the clients and servers of all games share: reading
// lines, waiting for an answer, the fence against late answers, the options that
// an engine lists, and the quoting of text from outside.
//
// It knows no position, and no command but those of GTP, which is no game's: what a
// line means is the game's. It never touches time; limits are the Conn's.
package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"thera/engine/game"
)

// Fence is a question that an engine answers in order with everything else,
// such as isready and readyok, or ping and pong: what comes after the answer
// belongs to what is asked after the question.
type Fence struct {
	Question, Answer string

	// Cut finds Answer in a line and returns the rest of the line. Nil means
	// alone; an engine that glues the answer to other output needs
	// another one.
	Cut func(line []byte, answer string) (rest []byte, found bool)
}

// alone is the Cut of engines that write the answer on a separate line, with
// or without blanks around it.
func alone(line []byte, answer string) (rest []byte, found bool) {
	return nil, string(bytes.TrimSpace(line)) == answer
}

// Within is the Cut of engines whose threads write to one line: the answer may
// stand anywhere in it, as in `Fen: readyok`.
func Within(line []byte, answer string) (rest []byte, found bool) {
	before, after, found := bytes.Cut(line, []byte(answer))
	switch {
	case !found:
		return nil, false
	case len(bytes.TrimSpace(before)) == 0:
		return after, true
	case len(bytes.TrimSpace(after)) == 0:
		return before, true
	}
	return slices.Concat(before, after), true
}

// Client is the arena's side of one conversation. A game's session embeds it.
// It does not allocate.
type Client struct {
	Conn game.Conn

	fence Fence
	owed  int    // answers to the fence that have not come
	line  []byte // the line being sent

	expected string // the line that the next Read waits for, "" if it has no name
	heard    []byte // the last line since
}

// NewClient is a client over conn. fence is the zero Fence where the protocol
// has none.
func NewClient(conn game.Conn, fence Fence) Client {
	if fence.Cut == nil {
		fence.Cut = alone
	}
	return Client{Conn: conn, fence: fence}
}

// Say sends one line: words, with a blank between them.
func (c *Client) Say(words ...string) error {
	c.line = c.line[:0]
	for i, word := range words {
		if i > 0 {
			c.line = append(c.line, ' ')
		}
		c.line = append(c.line, word...)
	}
	return c.Conn.Send(c.line)
}

// Ping sends the fence's question.
func (c *Client) Ping() error {
	c.owed++
	return c.Say(c.fence.Question)
}

// Owed is the number of answers to the fence that have not come.
func (c *Client) Owed() int { return c.owed }

// Pass counts a line that had no use. Blank lines are not counted.
func (c *Client) Pass(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		c.Conn.Passed(line)
	}
}

// Read hands line after line to take until it is done or fails. Blank lines
// are skipped. An answer to the fence is cut out of its line; take gets the
// rest, which is empty if the line was the answer alone.
//
// soft is called when the soft limit passes, to stop the engine; it is done if
// nothing more is waited for. Nil means that the limit does not matter.
func (c *Client) Read(ctx context.Context, soft func() (done bool, err error), take func(line []byte) (done bool, err error)) error {
	expected := c.expected
	c.expected, c.heard = "", c.heard[:0]
	for {
		line, err := c.Conn.Recv(ctx)
		var done bool
		switch {
		case errors.Is(err, game.ErrSoft):
			if soft == nil {
				continue
			}
			done, err = soft()
		case err != nil:
			err = c.explain(err, expected)
		default:
			if expected != "" && len(bytes.TrimSpace(line)) > 0 {
				c.heard = append(c.heard[:0], line...)
			}
			line, fenced := c.cut(line)
			if !fenced && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			done, err = take(line)
		}
		if done || err != nil {
			return err
		}
	}
}

// Expect names the line that the next Read waits for, for the fault of an engine that
// says nothing or another word.
func (c *Client) Expect(line string) { c.expected = line }

// explain adds to the fault of a limit that passed what was expected, and what came
// last.
func (c *Client) explain(err error, expected string) error {
	var fault *game.Fault
	if expected == "" || !errors.As(err, &fault) || fault.Kind != game.FaultTimeout && fault.Kind != game.FaultStartTimeout {
		return err
	}
	came := "nothing came; does it flush its output after each line?"
	if len(c.heard) > 0 {
		came = "the last line was " + Quote(c.heard)
	}
	return &game.Fault{Kind: fault.Kind, Detail: fmt.Sprintf("%s; expected %q, %s", fault.Detail, expected, came)}
}

// cut takes an answer to the fence that is owed out of line.
func (c *Client) cut(line []byte) (rest []byte, found bool) {
	if c.owed == 0 {
		return line, false
	}
	if rest, found = c.fence.Cut(line, c.fence.Answer); !found {
		return line, false
	}
	c.owed--
	return rest, true
}

// Drain passes over the lines that are already there, without waiting. use
// sees each first and reports whether it had a use; it may be nil.
func (c *Client) Drain(use func(line []byte) bool) {
	for {
		line, ok := c.Conn.Pending()
		if !ok {
			return
		}
		line, _ = c.cut(line)
		if use == nil || !use(line) {
			c.Pass(line)
		}
	}
}

// Settle waits until no answer to the fence is owed, then drains: nothing the
// engine said before can be taken for an answer to what it is asked next. use
// is as in Drain.
func (c *Client) Settle(ctx context.Context, use func(line []byte) bool) error {
	if c.owed > 0 {
		c.Expect(c.fence.Answer)
		err := c.Read(ctx, nil, func(line []byte) (bool, error) {
			if use == nil || !use(line) {
				c.Pass(line)
			}
			return c.owed == 0, nil
		})
		if err != nil {
			return err
		}
	}
	c.Drain(use)
	return nil
}

// Fence asks the fence's question and settles.
func (c *Client) Fence(ctx context.Context, use func(line []byte) bool) error {
	if err := c.Ping(); err != nil {
		return err
	}
	return c.Settle(ctx, use)
}

// List is game.Session's, for protocols without such a question.
func (c *Client) List(context.Context, game.Position) ([]string, error) {
	return nil, game.ErrNoLists
}

// IsTimeout reports whether err is the fault of an engine that did not answer
// in time.
func IsTimeout(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}
