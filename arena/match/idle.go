package match

import (
	"fmt"
	"time"
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
