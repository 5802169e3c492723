package web

import "time"

// pace is when a stream may draw again. Watching must not slow down what is
// watched: all updates together may take a small share of what this program spends
// on its games anyway, or, where that is next to nothing because moves are long, a
// small share of one processor, which is smaller when many watch.
type pace struct {
	since time.Time
	cpu   time.Duration // proc.OwnCPU then
	cost  time.Duration // of the last update, for all listeners
	many  bool
}

const (
	fastest   = 250 * time.Millisecond // from one update to the next
	slowest   = 15 * time.Second
	ownShare  = 25  // one part in so many of the program's own time, with few listeners
	ownMany   = 80  // with many
	fewShare  = 100 // the same of one processor
	manyShare = 1200
	few       = 20
)

// due reports whether the next update may begin.
func (p *pace) due(now time.Time, cpu time.Duration) bool {
	waited, share, own := now.Sub(p.since), time.Duration(fewShare), time.Duration(ownShare)
	if p.many {
		share, own = manyShare, ownMany
	}
	switch {
	case waited < fastest:
		return false
	case waited >= min(share*p.cost, slowest):
		return true
	}
	return cpu > 0 && cpu-p.cpu >= own*p.cost
}
