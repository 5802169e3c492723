package remote

import (
	"fmt"
	"maps"
	"slices"

	"thera/arena"
)

// differs compares the games of a pair, and returns the first that is another one, "" if
// there is none, and how. A game that ended by a fault is compared as far as it goes:
// machines differ in those.
func differs(was, is map[string]*arena.Record) (id, text string) {
	for _, id := range slices.Sorted(maps.Keys(was)) {
		a, b := was[id], is[id]
		n := min(len(a.Moves), len(b.Moves))
		for i := range n {
			if a.Moves[i] != b.Moves[i] {
				return id, fmt.Sprintf("ply %d is %s there, and %s here", i+1, plain(b.Moves[i], 100, false), plain(a.Moves[i], 100, false))
			}
		}
		switch {
		case a.Fault != nil || b.Fault != nil:
		case len(a.Moves) > n:
			return id, fmt.Sprintf("ply %d is the end there, and %s here", n+1, plain(a.Moves[n], 100, false))
		case len(b.Moves) > n:
			return id, fmt.Sprintf("ply %d is %s there, and the end here", n+1, plain(b.Moves[n], 100, false))
		case a.Outcome.Winner != b.Outcome.Winner || a.Source != b.Source:
			return id, fmt.Sprintf("after ply %d seat %d wins there, and seat %d here", n, b.Outcome.Winner, a.Outcome.Winner)
		}
	}
	return "", ""
}

// twoPlay says who plays a game.
func twoPlay(a, b string) string {
	if a == b {
		return playerName(a) + " plays it, both times"
	}
	return playerName(a) + " and " + playerName(b) + " play it"
}

func playerName(name string) string {
	if name == "" {
		return "this machine"
	}
	return "worker " + name
}
