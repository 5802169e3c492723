package player

import (
	"context"
	"errors"
	"time"

	"thera/engine/game"
)

// How long an engine thinks to warm up where its limit is a time, at first, and how long it
// has to answer then. One that does not, since it is busy with itself and loses a stop,
// thinks four times as long at the next try.
const (
	warmThink = 100 * time.Millisecond
	warmStop  = time.Second
)

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
	history, err := firstTurn(start, p.seat)
	if err == nil {
		err = p.Seat(ctx, p.seat, history)
	}
	if err != nil {
		return err
	}
	ask, answered := game.Ask{History: history, Depth: p.limit.Depth, Nodes: p.limit.Nodes}, false
	defer func() { p.conn.discardCPU() }() // it was entitled to the CPU time; Go may change p.conn
	left := p.starting().Hard
	for think := warmThink; left > 0; think *= 4 {
		limits := Limits{Soft: left, Hard: left}
		if ask.Depth == 0 && ask.Nodes == 0 {
			ask.Time = min(think, left)
			limits.Soft, limits.Hard = ask.Time, min(think+warmStop, left)
		}
		var answer Answer
		err := p.Sync(ctx, history)
		if err == nil {
			answer, err = p.Go(ctx, ask, limits)
		}
		left -= max(p.conn.elapsed(), time.Millisecond)
		fault, _ := errors.AsType[*game.Fault](err)
		switch {
		case err == nil && answer.Wall < limits.Hard:
			return nil
		case err == nil:
			answered = true // too late
		case fault == nil || fault.Kind != game.FaultTimeout || !p.conn.ClearFault():
			return err
		}
	}
	if p.spec.Warmup && !answered {
		return &game.Fault{Kind: game.FaultStartTimeout, Detail: "no answer to its warm-up search"}
	}
	return nil
}

// firstTurn is the first position of a game in which seat is to move; moves before it are the
// first listed.
func firstTurn(start game.Position, seat game.Seat) (*game.History, error) {
	history := game.Begin(start)
	for !history.Position.ToMove().Has(seat) {
		moves := history.Position.Moves(seat.Other())
		if len(moves) == 0 {
			return nil, errors.New("warm-up: no position of this game asks the engine for a move")
		}
		next, err := history.Play(game.By(seat.Other(), moves[0]))
		if err != nil {
			return nil, err
		}
		history = next
	}
	return history, nil
}
