package rules_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/santorini/rules"
)

// allowedPairs lists the match-ups that are played, in both orders.
func allowedPairs() []rules.Matchup {
	var pairs []rules.Matchup
	for a := range rules.GodCount {
		for b := range rules.GodCount {
			if rules.Banned(rules.Matchup{a, b}) == nil {
				pairs = append(pairs, rules.Matchup{a, b})
			}
		}
	}
	return pairs
}

// TestLongEveryPairPlays plays random games of all match-ups from an empty board. It
// checks that every state is read back equal and that the generator of wins lists
// the wins among all turns.
func TestLongEveryPairPlays(t *testing.T) {
	pairs := allowedPairs()
	const all, bans = int(rules.GodCount) * int(rules.GodCount), 29 // in both orders
	if len(pairs) > all-bans || len(pairs) < all-2*bans {
		t.Errorf("%d match-ups are allowed, want %d less some more bans", len(pairs), all-bans)
	}
	r := rand.New(rand.NewPCG(7, 8))
	begin, games, states := time.Now(), 1, 0
	if !gametest.Long(t) {
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:200]
	} else {
		games = 4
	}
	l, wins := rules.NewMoveList(), rules.NewMoveList()
	for _, m := range pairs {
		for range games {
			p := rules.Start(m, true)
			for p.Winner == 0 {
				states++
				checkText(t, &p)
				l.Generate(&p)
				wins.GenerateWins(&p)
				checkWins(t, &p, l, wins)
				if len(l.Moves) == 0 {
					break
				}
				p = l.Child(&p, l.Moves[r.IntN(len(l.Moves))])
			}
			if t.Failed() {
				t.Fatalf("in %s against %s", m[0], m[1])
			}
		}
	}
	t.Logf("%d positions of %d pairs in %v", states, len(pairs), time.Since(begin).Round(time.Millisecond))
}

func checkText(t *testing.T, p *rules.State) {
	t.Helper()
	for _, f := range []rules.Form{rules.V1, rules.V2} {
		text := rules.Text(p, f)
		if back, _, err := rules.Parse(text); err != nil || back != *p {
			t.Errorf("%s is not read back: %v", text, err)
		}
	}
}

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
