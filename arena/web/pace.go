package web

import "time"

const (
	fastest = 250 * time.Millisecond // from one update to the next
	slowest = 45 * time.Second

	sendCost = 25 * time.Microsecond // of an event to one listener
	share    = 100                   // updates take at most 1/share of one processor
)

// pause is how long a stream waits from one update to the next. Watching must not slow
// down what is watched: updates may take a small share of one processor. took is how long
// the last update took, which is never less than what it cost.
func pause(took time.Duration, listeners int) time.Duration {
	return min(max(share*(took+time.Duration(listeners)*sendCost), fastest), slowest)
}
