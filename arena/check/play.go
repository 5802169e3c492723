package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"thera/arena/player"
	"thera/engine/game"
)

// hard is how long to wait for an answer after its limit. A slow answer is a
// finding, no answer is a fault.
const hard = 2 * time.Second

// An engine that has answered none of so many questions in a row is not waited for
// as long.
const (
	mostUnanswered = 2
	impatient      = 250 * time.Millisecond
)

// least is d, or more where the engine does not survive less.
func (c *checker) least(d time.Duration) time.Duration { return max(d, c.info.MinMove) }

// ordinary asks for a move under the limit that was chosen, or without one within d.
func (c *checker) ordinary(ctx context.Context, at *game.Line, seat game.Seat, d time.Duration) (*game.Line, player.Answer, error) {
	l := &c.Limit
	switch {
	case l.CPU > 0:
		cpu := c.least(l.CPU)
		return c.put(ctx, at, seat, game.Ask{CPU: l.CPU},
			player.Limits{Soft: l.MaxMove, Hard: l.MaxMove + hard, SoftCPU: cpu, HardCPU: cpu + l.Grace})
	case l.Depth > 0 || l.Nodes > 0:
		return c.ask(ctx, at, seat, game.Ask{Depth: l.Depth, Nodes: l.Nodes}, l.MaxMove)
	case l.Move > 0:
		d = l.Move
	}
	return c.ask(ctx, at, seat, game.Ask{Time: d}, c.least(d))
}

// ask asks for one move in seat and plays it, with soft until it is stopped.
func (c *checker) ask(ctx context.Context, at *game.Line, seat game.Seat, ask game.Ask, soft time.Duration) (*game.Line, player.Answer, error) {
	return c.put(ctx, at, seat, ask, player.Limits{Soft: soft, Hard: soft + c.Limit.MaxMove})
}

// put asks for one move in seat under limits and plays it. If both seats move, the
// other move is random.
func (c *checker) put(ctx context.Context, at *game.Line, seat game.Seat, ask game.Ask, limits player.Limits) (*game.Line, player.Answer, error) {
	if err := c.player.Sync(ctx, at); err != nil {
		return nil, player.Answer{}, err
	}
	ask.Line = at
	c.asked++
	c.conn.soft, c.conn.stopped = false, false
	if c.unanswered >= mostUnanswered {
		limits.Hard = min(limits.Hard, limits.Soft+max(c.Limit.Grace, impatient))
	}
	answer, err := c.player.Go(ctx, ask, limits)
	if err != nil {
		c.unanswered++
		return nil, answer, err
	}
	c.unanswered = 0
	if answer.Resigned {
		return nil, answer, &resigned{at}
	}
	turn := c.lots(at.Position)
	turn[seat.Index()] = answer.Move
	next, err := at.Play(turn)
	if err != nil {
		var ill *game.Illegal
		if errors.As(err, &ill) {
			return nil, answer, failf("ply %d of a game from %q: %w (position: %s)", at.Ply+1, at.Start().Position, ill, at.Position)
		}
		return nil, answer, failf("ply %d: %w (position: %s)", at.Ply+1, err, at.Position)
	}
	return next, answer, nil
}

// resigned is an allowed answer that says nothing about moves.
type resigned struct{ at *game.Line }

func (r *resigned) Error() string { return "it resigned at " + r.at.Position.String() }

// punctual asks for a move within soft and returns how much later the answer came, less
// than zero if it came before. An engine that is late beyond grace is asked again, under
// the limits of a match: an arena that was late itself, or a busy machine, is not its
// fault.
func (c *checker) punctual(ctx context.Context, ask game.Ask, soft time.Duration) (over time.Duration, err error) {
	const plies, tries = 4, 3
	at, err := c.newGame(ctx, plies)
	if err != nil {
		return 0, err
	}
	_, answer, err := c.ask(ctx, at, game.First, ask, soft)
	if over = answer.Wall - soft; err != nil || over <= c.Limit.Grace {
		return over, err
	}
	if !c.player.Info().Limits.Time && !c.conn.stopped {
		return 0, skip(fmt.Sprintf("the protocol has no time limits; the answer came after %v", round(answer.Wall)))
	}
	proof := ""
	for range tries {
		if !c.player.Alive() {
			if err := c.bring(ctx); err != nil {
				return 0, err
			}
		}
		at, err := c.newGame(ctx, plies)
		if err == nil {
			_, _, err = c.put(ctx, at, game.First, ask, player.Limits{Soft: soft, Hard: soft + c.Limit.Grace})
			c.unanswered = 0
		}
		switch {
		case !timedOut(err):
			return over, err
		case c.proof() == "":
			return 0, failf("asked for %v, answered after %v, %v of grace", soft, round(answer.Wall), c.Limit.Grace)
		}
		proof = c.proof()
	}
	return 0, busy(proof)
}

func timedOut(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}

// lots returns a random legal turn. In a forgiving position without moves it
// is the zero Turn.
func (c *checker) lots(pos game.Position) game.Turn {
	var turn game.Turn
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if moves := pos.Moves(seat); len(moves) > 0 {
			turn[seat.Index()] = moves[c.rng.IntN(len(moves))]
		}
	}
	return turn
}

// middle is a line of up to plies random turns, after which seat is to move
// and the game is not over.
func (c *checker) middle(start game.Position, seat game.Seat, plies int) *game.Line {
	at := game.Begin(start)
	last := at
	for at.Ply < plies {
		next, err := at.Play(c.lots(at.Position))
		if err != nil {
			break
		}
		if _, over := next.Position.Outcome(); over {
			break
		}
		if at = next; at.Position.ToMove().Has(seat) {
			last = at
		}
	}
	return last
}

// anyStart is the first start for the first game, another one that the engine can
// play from for later ones.
func (c *checker) anyStart(game int) game.Position {
	for try := 0; game > 0 && try < 20; try++ {
		pos, err := c.Game.Start(c.rng.IntN(c.Game.Starts()), c.Seed)
		if err == nil && c.player.Fits(pos) == nil {
			return pos
		}
	}
	return c.start
}

// game plays a game of the engine in seat against random moves.
func (c *checker) game(ctx context.Context, start game.Position, seat game.Seat, cap int, perMove time.Duration) (*game.Line, error) {
	at := game.Begin(start)
	if err := c.player.Seat(ctx, seat, at); err != nil {
		return at, err
	}
	for at.Ply < cap {
		if outcome, over := at.Position.Outcome(); over {
			return at, c.player.End(ctx, at, outcome)
		}
		next, err := at, error(nil)
		if at.Position.ToMove().Has(seat) {
			next, _, err = c.ordinary(ctx, at, seat, perMove)
		} else {
			next, err = at.Play(c.lots(at.Position))
		}
		var gaveUp *resigned
		switch {
		case errors.As(err, &gaveUp):
			return at, c.player.End(ctx, at, game.Outcome{Winner: seat.Other(), Reason: game.Resigned})
		case err != nil:
			return at, err
		}
		at = next
	}
	return at, c.player.End(ctx, at, game.Outcome{Reason: "adjudicated: ply cap"})
}
