package remote

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"thera/arena"
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

// mostApart is by how much the speed of machines may differ under limits of time.
const mostApart = 0.10

// sameSpeed refuses a machine that may not play the run together with others. Under limits of time
// those may whose reference speed is within 10 % of that of the host, or of the first worker if
// the host plays nothing.
func (h *Host) sameSpeed(w *Member) error {
	timed := slices.ContainsFunc(h.Plan.Engines, func(e arena.EngineSpec) bool {
		limit := h.Plan.LimitOf(&e)
		return !limit.Exact()
	})
	if !timed || h.Plan.Mixed {
		return nil
	}
	with, whose := h.Speed, "this machine"
	if with == 0 {
		others := slices.DeleteFunc(h.Members(), func(m Member) bool { return m.Name == w.Name })
		if len(others) == 0 {
			return nil
		}
		with, whose = others[0].Speed, "worker "+others[0].Name
	}
	if ratio := w.Speed / with; with > 0 && (ratio < 1-mostApart || ratio > 1/(1-mostApart)) {
		return fmt.Errorf("its reference speed is %.0f %% of that of %s (%.0f and %.0f): "+
			"under limits of time machines may differ by 10 %%, unless the run says mixed: true", 100*ratio, whose, w.Speed, with)
	}
	return nil
}
