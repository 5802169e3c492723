package player

import (
	"sync/atomic"
	"time"
)

// FaceTogether names the opponent that is asked at the same time: it may think until it is
// [Player.Answered].
func (p *Player) FaceTogether(rival *Player) {
	p.judge.Rival = nil
	if rival.proc != nil {
		rival.after = &afterwards{engine: rival.proc}
		p.judge.Rival = rival.after
	}
}

// Answered notes that this engine has moved in a turn of both: from now on it should not think.
func (p *Player) Answered() {
	if a := p.after; a != nil {
		a.from.Store(int64(a.engine.CPUNow()) + 1)
	}
}

// afterwards is the CPU time that an engine uses after its answer, until which it is 0.
type afterwards struct {
	engine Clock
	from   atomic.Int64 // the engine's CPU time at its answer and 1 ns; 0 before it
}

// CPUNow implements [Clock].
func (a *afterwards) CPUNow() time.Duration {
	if from := a.from.Load(); from > 0 {
		return a.engine.CPUNow() - time.Duration(from-1)
	}
	return 0
}
