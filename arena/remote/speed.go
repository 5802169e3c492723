package remote

import (
	"sync"
	"sync/atomic"
	"time"
)

// Measure is the reference speed of this machine: what one slot does in a second while
// all of them work, in millions of steps of a walk through a table that fits into a
// processor's cache. It takes half a second.
func Measure(slots int) float64 {
	var all sync.WaitGroup
	var steps atomic.Int64
	begin := time.Now()
	for range slots {
		all.Go(func() { steps.Add(walk(begin.Add(500 * time.Millisecond))) })
	}
	all.Wait()
	return float64(steps.Load()) / time.Since(begin).Seconds() / 1e6 / float64(slots)
}

// walk steps through a table until then: integer arithmetic, memory that the next step
// depends on, and a branch that cannot be foreseen, as in a search.
func walk(until time.Time) (steps int64) {
	const chunk = 100_000
	var table [1 << 14]uint32
	for at := uint32(1); time.Now().Before(until); steps += chunk {
		for range chunk {
			entry := &table[(at^at>>15)%uint32(len(table))]
			if *entry&8 == 0 {
				at = at*747796405 + *entry + 12345
			} else {
				at = (at ^ *entry) * 277803737
			}
			*entry += at
		}
	}
	return steps
}
