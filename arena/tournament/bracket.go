package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"thera/arena"
)

// living returns the places of the engines that are not dead.
func living(dead []bool) []int {
	var order []int
	for i, gone := range dead {
		if !gone {
			order = append(order, i)
		}
	}
	return order
}

// standings returns the engines in the reverse order in which they were knocked
// out: the winner comes first.
func (k *knockout) standings(dead []bool) []arena.Standing {
	order := living(dead)
	last := func(i int) int {
		if k.out[i] == 0 {
			return k.round + 1
		}
		return k.out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		pointsA, _ := k.ledger.of(a, dead)
		pointsB, _ := k.ledger.of(b, dead)
		return cmp.Or(cmp.Compare(last(b), last(a)), cmp.Compare(pointsB, pointsA), cmp.Compare(a, b))
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
		points, wins := k.ledger.of(i, dead)
		out = append(out, arena.Standing{Engine: k.name(i), Points: points, Wins: wins, Note: note})
	}
	return out
}
