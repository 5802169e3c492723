package rating

import (
	"fmt"
	"slices"
	"strings"
)

// islands returns the sets of players that are connected by games, in order of
// place. Anchored players are connected to each other.
func islands(n int, edges []edge, anchored []bool) [][]int {
	return components(n, edges, anchored, func(edge) bool { return true })
}

// classes returns the largest sets of players in which each scored against each
// other, directly or through others. If there is one class, the maximum
// likelihood ratings are finite (Ford 1957).
func classes(n int, edges []edge, anchored []bool) [][]int {
	return components(n, edges, anchored, func(e edge) bool { return e.points > 0 })
}

// components returns the strongly connected components of the graph that has an
// arrow from a to b for each edge that counts. Every edge is tried from both
// sides.
func components(n int, edges []edge, anchored []bool, counts func(edge) bool) [][]int {
	there, back := make([][]int, n), make([][]int, n)
	arrow := func(a, b int) {
		there[a] = append(there[a], b)
		back[b] = append(back[b], a)
	}
	for _, e := range edges {
		if counts(e) {
			arrow(e.a, e.b)
		}
		if f := e.flipped(); counts(f) {
			arrow(f.a, f.b)
		}
	}
	last := -1
	for i, is := range anchored {
		if is && last >= 0 {
			arrow(last, i)
			arrow(i, last)
		}
		if is {
			last = i
		}
	}
	// Kosaraju's algorithm: two depth-first searches.
	seen := make([]bool, n)
	var reach func(at int, arrows [][]int, leave func(int))
	reach = func(at int, arrows [][]int, leave func(int)) {
		seen[at] = true
		for _, to := range arrows[at] {
			if !seen[to] {
				reach(to, arrows, leave)
			}
		}
		leave(at)
	}
	var order []int
	for i := range n {
		if !seen[i] {
			reach(i, there, func(at int) { order = append(order, at) })
		}
	}
	var found [][]int
	group := make([]int, n)
	clear(seen)
	for _, i := range slices.Backward(order) {
		if !seen[i] {
			id := len(found)
			found = append(found, nil)
			reach(i, back, func(at int) { group[at] = id })
		}
	}
	for i := range n {
		found[group[i]] = append(found[group[i]], i)
	}
	slices.SortFunc(found, func(a, b []int) int { return a[0] - b[0] })
	return found
}

// unconnected says why a fit without a prior would not be finite.
func unconnected(islands, classes [][]int, edges []edge, n int, names []string) []Caveat {
	var out []Caveat
	if len(islands) > 1 {
		groups := make([]string, len(islands))
		for i, g := range islands {
			groups[i] = list(g, names)
		}
		out = append(out, caveatf(Apart, "no game connects %s: differences between these groups are a guess", strings.Join(groups, " with ")))
	}
	class := make([]int, n)
	for id, g := range classes {
		for _, i := range g {
			class[i] = id
		}
	}
	lost, won := make([]bool, len(classes)), make([]bool, len(classes))
	for _, e := range edges {
		if class[e.a] != class[e.b] {
			// One side made all points: otherwise both were in one class.
			winner, loser := e.a, e.b
			if e.points == 0 {
				winner, loser = e.b, e.a
			}
			won[class[winner]], lost[class[loser]] = true, true
		}
	}
	for id, g := range classes {
		switch {
		case won[id] && !lost[id]:
			out = append(out, caveatf(Unbounded, "%s won every game against the others: Elo has no upper limit", list(g, names)))
		case lost[id] && !won[id]:
			out = append(out, caveatf(Unbounded, "%s lost every game against the others: Elo has no lower limit", list(g, names)))
		}
	}
	return append(out, caveatf(Prior, "two virtual draws a player against a fixed player keep the ratings finite; that player, not the mean, is 0 (with anchors: their mean)"))
}

// list names at most a few players.
func list(places []int, names []string) string {
	const most = 4
	var words []string
	for _, i := range places {
		if len(words) == most && len(places) > most+1 {
			words = append(words, fmt.Sprintf("… (%d players)", len(places)))
			break
		}
		words = append(words, names[i])
	}
	return strings.Join(words, ", ")
}
