package match

import (
	"fmt"
	"time"

	"thera/engine/game"
)

// idling is CPU time that an engine used on its opponent's turn.
type idling struct {
	total time.Duration
	worst time.Duration
	moves int
	over  int // number of moves before which it used more than allowed
}

func (i *idling) add(used, allowed time.Duration) {
	i.total += used
	i.moves++
	if allowed > 0 && used > allowed {
		i.over++
		i.worst = max(i.worst, used)
	}
}

// remark is the warning for the record, "" if the engine waited as it should.
func (i *idling) remark(name string, allowed time.Duration) string {
	if i.over == 0 {
		return ""
	}
	return fmt.Sprintf("%s: used CPU on the opponent's time, over %v before %d of %d moves, at most %v",
		name, allowed, i.over, i.moves, i.worst.Round(time.Millisecond))
}

// overIdle ends the game if thinking on the opponent's time forfeits it.
func (m *Match) overIdle() bool {
	for i, p := range m.players {
		if p.Spec().IdleLoss && m.counts.idles[i].over > 0 {
			m.verdict = m.forfeit(game.Seat(i+1), &game.Fault{
				Kind:   game.FaultIdle,
				Detail: fmt.Sprintf("used %v on the opponent's time, %v allowed", m.counts.idles[i].worst.Round(time.Millisecond), p.Spec().IdleCPU),
			})
			return true
		}
	}
	return false
}
