package session

import (
	"slices"

	"thera/arena"
)

// Pinned is the plan for the worker of one slot. The processors of an engine are
// divided among the slots, so that no two games share one. If there are fewer
// processors than slots, the slots take turns.
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
