package web

import "time"

// pace is when a stream may draw again. Watching must not slow down what is
// watched: all updates together may take a small share of what this program spends
// on its games anyway, or, where that is next to nothing because moves are long, a
// small share of one processor. That share is smaller the more pages watch: one
// person wants to see each move, and hundreds must cost the games nothing.
type pace struct {
	since     time.Time
	cpu       time.Duration // proc.OwnCPU then
	cost      time.Duration // of the last update, for all listeners
	listeners int
	plays     bool // this program plays the run
}

const (
	fastest = 250 * time.Millisecond // from one update to the next
	slowest = 45 * time.Second
	few     = 10

	sendCost = 25 * time.Microsecond // of the CPU, for an event to one listener

	ownShare  = 50  // one part in so many of the program's own time
	manyShare = 100 // the same with more listeners: what they cost is not all measured
	allShare  = 100 // and one part in so many of one processor, with a few listeners
)

// due reports whether the next update may begin.
func (p *pace) due(now time.Time, cpu time.Duration) bool {
	own, share := time.Duration(ownShare), time.Duration(allShare)
	if many := time.Duration(p.listeners); p.plays && many > few {
		own = manyShare
		share = share * many * many / (few * few)
	}
	waited := now.Sub(p.since)
	switch {
	case waited < fastest:
		return false
	case waited >= min(share*p.cost, slowest):
		return true
	}
	return cpu > 0 && cpu-p.cpu >= own*p.cost
}
