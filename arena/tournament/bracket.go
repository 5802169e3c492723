package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"thera/arena"
)

// standings returns the engines in the reverse order in which they were knocked
// out: the winner comes first.
func (k *knockout) standings() []arena.Standing {
	order := make([]int, len(k.plan.Engines))
	for i := range order {
		order[i] = i
	}
	last := func(i int) int {
		if k.out[i] == 0 {
			return k.round + 1
		}
		return k.out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(last(b), last(a)), cmp.Compare(k.score[b], k.score[a]), cmp.Compare(a, b))
	})
	var out []arena.Standing
	for _, i := range order {
		note := k.notes[i]
		if k.out[i] > 0 {
			if note != "" {
				note += ", "
			}
			note += fmt.Sprintf("out in round %d", k.out[i])
		}
		out = append(out, arena.Standing{Engine: k.name(i), Points: k.score[i], Wins: k.wins[i], Note: note})
	}
	return out
}
