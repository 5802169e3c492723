package player

import (
	"context"
	"errors"
	"slices"
	"time"

	"thera/engine/game"
)

// warmThink is how long an engine thinks to warm up where its limit is a time. One
// that has not answered by then thinks longer at the next try.
const warmThink = 100 * time.Millisecond

// warmTries bounds the searches of a warm-up. An engine that is still busy with
// itself loses a stop; the next search shows whether it reacts to one.
const warmTries = 3

// warms reports whether a new process searches once off the clock: where the match
// file says so, and where the engine is known for a slow first search. Under limits
// of depth and nodes games repeat, and only the match file changes that.
func (p *Player) warms() bool {
	return p.spec.Warmup || p.info.SlowFirst && p.limit.Depth == 0 && p.limit.Nodes == 0
}

// warm lets the engine search once, off the clock. Its answer does not matter. An
// engine that is asked to warm up and does not answer within the time of its start
// is not ready; one that shows by itself that it is slow goes on as it is.
func (p *Player) warm(ctx context.Context, start game.Position) error {
	seat, line, err := p.firstTurn(start)
	if err != nil {
		return err
	}
	if err := p.Seat(ctx, seat, line); err != nil {
		return err
	}
	left := p.limit.Start
	if left == 0 {
		left = startLimit
	}
	ask, answered := game.Ask{Line: line, Depth: p.limit.Depth, Nodes: p.limit.Nodes}, false
	for try := range warmTries {
		soft, hard := left, left
		if ask.Depth == 0 && ask.Nodes == 0 {
			soft = min(warmThink, left)
			if longer := left >> (warmTries - try); try > 0 && !answered {
				soft = max(soft, longer)
			}
			ask.Time = soft
		}
		if try < warmTries-1 {
			hard = min(left, soft+time.Second)
		}
		err := p.Sync(ctx, line)
		if err == nil {
			p.conn.Arm(Limits{Soft: soft, Hard: hard, Kind: game.FaultTimeout, Detail: "warm-up"})
			if err = p.session.Ask(ask); err == nil {
				_, err = p.session.Answer(ctx)
			}
			left -= p.conn.Elapsed()
		}
		inTime := p.conn.Fault() == nil
		answered = answered || err == nil
		err = p.settle(ctx, err)
		var fault *game.Fault
		switch {
		case err == nil && inTime:
			p.conn.Mark() // it was entitled to the CPU time
			return nil
		case err != nil && (!errors.As(err, &fault) || fault.Kind != game.FaultTimeout), !p.conn.ClearFault():
			return err
		case left <= 0 || try == warmTries-1:
			p.conn.Mark()
			if p.spec.Warmup && !answered {
				return &game.Fault{Kind: game.FaultStartTimeout, Detail: "no answer to its warm-up search"}
			}
			return nil
		}
	}
	return nil
}

// firstTurn is a seat of this process and the first position of a game in which
// that seat is to move; moves before it are the first listed.
func (p *Player) firstTurn(start game.Position) (game.Seat, *game.Line, error) {
	seat := game.First
	for _, s := range [2]game.Seat{game.Second, game.First} {
		if args := p.dialect.Args(s); slices.Equal(args, p.args) {
			seat = s
		}
	}
	line := game.Begin(start)
	for !line.Position.ToMove().Has(seat) {
		mover := line.Position.ToMove().Only()
		moves := line.Position.Moves(mover)
		if len(moves) == 0 {
			return seat, nil, errors.New("warm-up: no position of this game asks the engine for a move")
		}
		next, err := line.Play(game.By(mover, moves[0]))
		if err != nil {
			return seat, nil, err
		}
		line = next
	}
	return seat, line, nil
}
