package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"thera/arena/player"
	"thera/engine/game"
)

// hard is how long to wait for an answer after its limit. A slow answer is a
// finding, no answer is a fault.
const hard = 2 * time.Second

// watched is a connection that notes what a question led to.
type watched struct {
	*player.Conn
	soft    bool // the limit of this question has passed
	stopped bool // ... and the session sent something then
	heard   bool // a line has come since the last one was sent
}

// Send passes a line on.
func (c *watched) Send(text []byte) error {
	c.stopped = c.stopped || c.soft
	c.heard = c.heard && c.soft // after stop, what came before it counts
	return c.Conn.Send(text)
}

// Recv hands a line on.
func (c *watched) Recv(ctx context.Context) ([]byte, error) {
	text, err := c.Conn.Recv(ctx)
	c.soft = c.soft || errors.Is(err, game.ErrSoft)
	c.heard = c.heard || err == nil
	return text, err
}

// least is d, or more where the engine does not survive less.
func (c *checker) least(d time.Duration) time.Duration { return max(d, c.info.MinMove) }

// ordinary asks for a move under the limit that was chosen, or without one within d.
func (c *checker) ordinary(
	ctx context.Context, at *game.History, seat game.Seat, d time.Duration,
) (*game.History, player.Answer, error) {
	l := &c.Limit
	switch {
	case l.CPU > 0:
		cpu := c.least(l.CPU)
		return c.put(ctx, at, seat, game.Ask{CPU: l.CPU},
			player.Limits{Soft: l.MaxMove, Hard: l.MaxMove + hard, SoftCPU: cpu, HardCPU: cpu + l.Grace})
	case l.Depth > 0 || l.Nodes > 0:
		return c.put(ctx, at, seat, game.Ask{Depth: l.Depth, Nodes: l.Nodes}, c.until(l.MaxMove))
	}
	d = cmp.Or(l.Move, d)
	return c.put(ctx, at, seat, game.Ask{Time: d}, c.until(c.least(d)))
}

// until are the limits of a question that is stopped after soft.
func (c *checker) until(soft time.Duration) player.Limits {
	return player.Limits{Soft: soft, Hard: soft + c.Limit.MaxMove}
}

// put asks for one move in seat under limits and plays it. If both seats move, the
// other move is random. A resignation is an allowed answer that says nothing about moves,
// but at the start of a game.
func (c *checker) put(
	ctx context.Context, at *game.History, seat game.Seat, ask game.Ask, limits player.Limits,
) (*game.History, player.Answer, error) {
	if err := c.player.Sync(ctx, at); err != nil {
		return nil, player.Answer{}, err
	}
	ask.History = at
	c.asked++
	c.conn.soft, c.conn.stopped = false, false
	answer, err := c.player.Go(ctx, ask, limits)
	switch {
	case err != nil:
		return nil, answer, err
	case answer.Resigned && at.Ply == 0:
		return nil, answer, failf("it resigned at %s, the start of a game", at.Position)
	case answer.Resigned:
		return nil, answer, found(Skipped, "it resigned at %s", at.Position)
	}
	turn := c.random(at.Position)
	turn[seat.Index()] = answer.Move
	next, err := at.Play(turn)
	if err != nil {
		return nil, answer, failf("ply %d of a game from %q: %w (position: %s)", at.Ply+1, at.Start().Position, err, at.Position)
	}
	return next, answer, nil
}

// punctual asks for a move within soft under the limits of a match.
func (c *checker) punctual(ctx context.Context, ask game.Ask, soft time.Duration) (string, error) {
	at, err := c.newGame(ctx, 4)
	if err != nil {
		return "", err
	}
	_, answer, err := c.put(ctx, at, game.First, ask, player.Limits{Soft: soft, Hard: soft + c.Limit.Grace})
	fault, _ := errors.AsType[*game.Fault](err)
	if fault != nil && fault.Kind == game.FaultTimeout && !c.info.Limits.Time && !c.conn.stopped {
		return "", found(Skipped, "the protocol has no time limits; no answer came within %v", soft+c.Limit.Grace)
	}
	return fmt.Sprintf("answered after %v of %v", round(answer.Wall), soft), err
}

// random returns a random legal turn. In a forgiving position without moves it
// is the zero Turn.
func (c *checker) random(pos game.Position) game.Turn { return game.RandomTurn(pos, c.rng.IntN) }

// walk yields the positions of a random game from start, but not its end.
func (c *checker) walk(start game.Position) iter.Seq[*game.History] {
	return func(yield func(*game.History) bool) {
		for at, err := game.Begin(start), error(nil); err == nil; at, err = at.Play(c.random(at.Position)) {
			if _, over := at.Position.Outcome(); over || !yield(at) {
				return
			}
		}
	}
}

// newGame begins a game in the first seat, at a position of a random game in which it is
// to move: the last one within plies, or else the first one later.
func (c *checker) newGame(ctx context.Context, plies int) (*game.History, error) {
	found := game.Begin(c.start)
	for at := range c.walk(c.start) {
		if at.Position.ToMove().Has(game.First) {
			found = at
		}
		if at.Ply >= plies && found.Position.ToMove().Has(game.First) {
			break
		}
	}
	return found, c.player.Seat(ctx, game.First, found.Start())
}

// game plays a game of the engine in seat against random moves.
func (c *checker) game(
	ctx context.Context, start game.Position, seat game.Seat, perMove time.Duration,
) (*game.History, error) {
	at := game.Begin(start)
	if err := c.player.Seat(ctx, seat, at); err != nil {
		return at, err
	}
	for at.Ply < longGame {
		if outcome, over := at.Position.Outcome(); over {
			return at, c.player.End(ctx, at, outcome)
		}
		next, answer, err := at, player.Answer{}, error(nil)
		if at.Position.ToMove().Has(seat) {
			next, answer, err = c.ordinary(ctx, at, seat, perMove)
		} else {
			next, err = at.Play(c.random(at.Position))
		}
		switch {
		case answer.Resigned && at.Ply > 0:
			return at, c.player.End(ctx, at, game.Outcome{Winner: seat.Other(), Reason: game.Resigned})
		case err != nil:
			return at, err
		}
		at = next
	}
	return at, c.player.End(ctx, at, game.Outcome{Reason: "adjudicated: ply cap"})
}
