package rules_test

import (
	"testing"

	"thera/engine/santorini/rules"
)

// checkWins checks that wins has the winning turns of l, and that these come first.
func checkWins(t *testing.T, p *rules.State, l, wins *rules.MoveList) {
	t.Helper()
	want := map[rules.State]bool{}
	for i, m := range l.Moves {
		q := l.Child(p, m)
		if m.Wins() != (q.Winner == p.Mover+1) || !m.Wins() && q.Winner != 0 {
			t.Errorf("%s: a turn to %s says win %v", rules.Text(p, rules.V2), rules.Text(&q, rules.V2), m.Wins())
		}
		if m.Wins() {
			want[q] = true
			if i != len(want)-1 {
				t.Errorf("%s: win %d comes as turn %d", rules.Text(p, rules.V2), len(want), i)
			}
		}
	}
	for _, m := range wins.Moves {
		q := wins.Child(p, m)
		if !want[q] {
			t.Errorf("%s: %s is no win", rules.Text(p, rules.V2), rules.Text(&q, rules.V2))
		}
		delete(want, q)
	}
	for q := range want {
		t.Errorf("%s: the win %s is missed", rules.Text(p, rules.V2), rules.Text(&q, rules.V2))
	}
}
