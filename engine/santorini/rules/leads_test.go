package rules_test

import (
	"math/rand/v2"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

// TestLeadsAgrees checks Leads against the list of turns of every god, with listed states and
// with states in which one thing is changed.
func TestLeadsAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	checked, refused := 0, 0
	for g := range rules.GodCount {
		games := 1
		if g.Basic() { // they have another way
			games = 20
		}
		for range games {
			santorinitest.RandomWalk(r, g, func(p *rules.State, l *rules.MoveList) {
				for range 1 + min(19, 2000/len(l.Moves)) {
					q := l.Child(p, l.Moves[r.IntN(len(l.Moves))])
					wrong := changed(r, q)
					_, listed := l.Find(p, &wrong)
					if !rules.Leads(p, &q) || rules.Leads(p, &wrong) != listed {
						t.Fatalf("%s to %s is listed, to %s it is %v", rules.Text(p, rules.V2), rules.Text(&q, rules.V2), rules.Text(&wrong, rules.V2), listed)
					}
					if checked++; !listed {
						refused++
					}
				}
			})
		}
	}
	if checked < 10_000 || refused < 5_000 {
		t.Errorf("%d turns checked, %d refused: too few to prove anything", checked, refused)
	}
}

// changed is q with one thing changed, in most cases.
func changed(r *rand.Rand, q rules.State) rules.State {
	few := r.Uint32() & r.Uint32() & r.Uint32() & rules.Board
	switch r.IntN(6) {
	case 0:
		q.Raise(rules.Bit(r.IntN(rules.Squares)))
	case 1:
		q.Workers[0] ^= few
	case 2:
		q.Workers[1] ^= few
	case 3:
		q.Mover ^= 1
	case 4:
		q.Winner = uint8(r.IntN(3))
	case 5:
		q.Dome(rules.Bit(r.IntN(rules.Squares)))
	}
	return q
}
