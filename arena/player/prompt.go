package player

import (
	"context"
	"time"

	"thera/arena/conn"
	"thera/arena/proc"
	"thera/engine/game"
)

// Prompt asks under limits as Go does, but does not wait for the answer: that
// is left to Heard, or to Go with the same ask. It reports whether it asked;
// if not, the engine is still to be told and asked by Sync and Go.
func (p *Player) Prompt(ctx context.Context, ask game.Ask, limits conn.Limits) (bool, error) {
	prompter, ok := p.session.(game.Prompter)
	if !ok {
		return false, nil
	}
	p.conn.NewMove()
	p.arm(limits)
	asked, err := prompter.Prompt(ask)
	if err == nil && !asked {
		return false, nil
	}
	p.asked = true
	return true, p.settle(ctx, err)
}

// Heard is the answer to Prompt, if it is there. It never waits.
func (p *Player) Heard(ctx context.Context, ask game.Ask) (Answer, bool, error) {
	reply, done, err := p.session.(game.Prompter).Heard(ask)
	if !done {
		return Answer{}, false, nil
	}
	p.asked = false
	answer, err := p.answer(ctx, reply, err)
	return answer, true, err
}

// Await waits at most wait until one of two engines has said something. Either
// may be nil.
func Await(a, b *Player, wait time.Duration) {
	var procs [2]*proc.Process
	for i, p := range [2]*Player{a, b} {
		if p != nil {
			procs[i] = p.proc
		}
	}
	proc.Await(procs[0], procs[1], wait)
}
