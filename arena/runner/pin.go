package runner

import (
	"slices"

	"thera/arena"
)

// Pinned is the plan as one slot's worker needs it: an engine's processors are
// shared out among the slots, so that two games do not meet on one. Where
// there are fewer processors than slots, slots share them in turn.
func Pinned(plan *arena.Plan, slot int) *arena.Plan {
	pinned := *plan
	pinned.Engines = slices.Clone(plan.Engines)
	for i := range pinned.Engines {
		e := &pinned.Engines[i]
		if n := len(e.CPUs); n > 0 {
			share := max(n/max(plan.Concurrency, 1), 1)
			from := slot * share % n
			e.CPUs = e.CPUs[from:min(from+share, n)]
		}
	}
	return &pinned
}
