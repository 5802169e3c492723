// Package santorinitest has what the tests of several Santorini packages share. Only
// tests may import it.
package santorinitest

import (
	"math/rand/v2"
	"testing"

	"thera/engine/santorini/rules"
)

// MustParse parses a position.
func MustParse(t testing.TB, text string) rules.State {
	t.Helper()
	p, _, err := rules.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// StartText is the standard start position.
const StartText = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"

// Gods finds gods by their names.
func Gods(t testing.TB, names ...string) []rules.God {
	t.Helper()
	list := make([]rules.God, len(names))
	for i, name := range names {
		god, ok := rules.ParseGod(name)
		if !ok {
			t.Fatalf("no god %s", name)
		}
		list[i] = god
	}
	return list
}

// RandomWalk plays one random game of god against a random one, from an empty board.
// It prefers climbs, and calls fn with each position and its turns.
func RandomWalk(r *rand.Rand, god rules.God, fn func(p *rules.State, l *rules.MoveList)) {
	m := rules.Matchup{god, rules.God(r.IntN(int(rules.GodCount)))}
	if r.IntN(2) == 1 {
		m[0], m[1] = m[1], m[0]
	}
	if rules.Banned(m) != nil {
		return
	}
	p := rules.Start(m, true)
	l := rules.NewMoveList()
	for p.Winner == 0 {
		l.Generate(&p)
		if len(l.Moves) == 0 {
			return
		}
		fn(&p, l)
		m := l.Moves[r.IntN(len(l.Moves))]
		for range 5 {
			if other := l.Moves[r.IntN(len(l.Moves))]; other.Climbs() && !other.Wins() {
				m = other
			}
		}
		p = l.Child(&p, m)
	}
}
