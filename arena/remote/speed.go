package remote

import (
	"sync"
	"time"
)

// Measure is the reference speed of this machine: what one slot does in a second while
// all of them work, in millions of steps of a walk through a table that fits into a
// processor's cache. It takes half a second.
func Measure(slots int) float64 {
	const last = 500 * time.Millisecond
	speeds := make([]float64, slots)
	var all sync.WaitGroup
	for i := range speeds {
		all.Go(func() { speeds[i] = walk(last) })
	}
	all.Wait()
	sum := 0.0
	for _, speed := range speeds {
		sum += speed
	}
	return sum / float64(slots)
}

// walk steps through a table for so long: integer arithmetic, memory that the next step
// depends on, and a branch that cannot be foreseen, as in a search.
func walk(last time.Duration) float64 {
	const chunk = 100_000
	var table [1 << 14]uint32
	for i := range table {
		table[i] = uint32(i)*2654435761 + 12345
	}
	at, steps := uint32(1), 0
	begin := time.Now()
	for time.Since(begin) < last {
		for range chunk {
			entry := &table[(at^at>>15)%uint32(len(table))]
			if *entry&8 == 0 {
				at = at*747796405 + *entry
			} else {
				at = (at ^ *entry) * 277803737
			}
			*entry += at
		}
		steps += chunk
	}
	return float64(steps) / time.Since(begin).Seconds() / 1e6
}
