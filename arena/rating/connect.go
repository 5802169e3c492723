package rating

import (
	"fmt"
	"strings"
)

// class is a largest set of players in which each scored against each other,
// directly or through others. If there is one class, the maximum likelihood
// ratings are finite (Ford 1957).
type class struct {
	players      []int
	beats, loses bool // it scored against players outside, or they did against it
}

// classes returns the classes of players by who scored against whom, in order of place.
func classes(n int, scored [][2]int) []class {
	there, back := make([][]int, n), make([][]int, n)
	for _, s := range scored {
		there[s[0]] = append(there[s[0]], s[1])
		back[s[1]] = append(back[s[1]], s[0])
	}
	var out []class
	found := make([]bool, n)
	for i := range n {
		if found[i] {
			continue
		}
		var c class
		down, up := reach(i, there), reach(i, back)
		for k := range n {
			switch {
			case down[k] && up[k]:
				c.players, found[k] = append(c.players, k), true
			case down[k]:
				c.beats = true
			case up[k]:
				c.loses = true
			}
		}
		out = append(out, c)
	}
	return out
}

// reach returns who can be reached from a player.
func reach(from int, arrows [][]int) []bool {
	seen := make([]bool, len(arrows))
	seen[from] = true
	for todo := []int{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range arrows[at] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// connect returns whether the ratings are finite, and if not, why. Anchored players
// are connected to each other.
func (f *fit) connect(names []string) (finite bool, caveats []string) {
	var scored, met [][2]int
	both := func(list [][2]int, a, b int) [][2]int { return append(list, [2]int{a, b}, [2]int{b, a}) }
	for _, e := range f.edges {
		met = both(met, e.a, e.b)
		if e.points > 0 {
			scored = append(scored, [2]int{e.a, e.b})
		}
		if e.points < e.n {
			scored = append(scored, [2]int{e.b, e.a})
		}
	}
	last := -1
	for i, is := range f.anchored {
		if is && last >= 0 {
			met, scored = both(met, last, i), both(scored, last, i)
		}
		if is {
			last = i
		}
	}
	parts := classes(len(names), scored)
	if len(parts) < 2 {
		return true, nil
	}
	if islands := classes(len(names), met); len(islands) > 1 {
		groups := make([]string, len(islands))
		for i, g := range islands {
			groups[i] = list(g.players, names)
		}
		caveats = append(caveats, fmt.Sprintf("no game connects %s: differences between these groups are a guess", strings.Join(groups, " with ")))
	}
	for _, c := range parts {
		switch {
		case c.beats && !c.loses:
			caveats = append(caveats, list(c.players, names)+" won every game against the others: Elo has no upper limit")
		case c.loses && !c.beats:
			caveats = append(caveats, list(c.players, names)+" lost every game against the others: Elo has no lower limit")
		}
	}
	return false, append(caveats, "two virtual draws a player against a fixed player keep the ratings finite; "+
		"that player, not the mean, is 0 (with anchors: their mean)")
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
