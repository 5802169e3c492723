package web

import "time"

// pace is when a stream may draw again. Watching must not slow down what is
// watched: all updates together may take a small share of what this program spends
// on its games anyway, or, where that is next to nothing because moves are long, a
// small share of one processor, which is smaller when many watch.
type pace struct {
	since time.Time
	cpu   time.Duration // ownCPU then
	cost  time.Duration // of the last update, for all listeners
	many  bool
}

const (
	fastest   = 250 * time.Millisecond // from one update to the next
	slowest   = 15 * time.Second
	ownShare  = 25  // one part in so many of the program's own time
	fewShare  = 100 // of one processor, with few listeners
	manyShare = 600 // with many
	few       = 20
)

// due reports whether the next update may begin.
func (p *pace) due(now time.Time, cpu time.Duration) bool {
	waited, share := now.Sub(p.since), time.Duration(fewShare)
	if p.many {
		share = manyShare
	}
	switch {
	case waited < fastest:
		return false
	case waited >= min(share*p.cost, slowest):
		return true
	}
	return cpu > 0 && cpu-p.cpu >= ownShare*p.cost
}
