package web

import "time"

const (
	fastest = 250 * time.Millisecond // from one update to the next
	slowest = 45 * time.Second
	few     = 10

	sendCost = 25 * time.Microsecond // of an event to one listener
	share    = 100                   // one part in so many of one processor, with a few listeners
)

// pause is how long a stream waits from one update to the next. Watching must not slow
// down what is watched: updates may take a small share of one processor, and a smaller
// one the more pages watch a run that this program plays: one person wants to see each
// move, and hundreds must cost the games nothing. took is how long the last update
// took, which is never less than what it cost.
func pause(took time.Duration, listeners int, plays bool) time.Duration {
	wait := min(share*(took+time.Duration(listeners)*sendCost), slowest)
	if many := time.Duration(listeners); plays && many > few {
		wait = wait * many * many / (few * few)
	}
	return min(max(wait, fastest), slowest)
}
