package rules_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
)

// Every illegal triple has a reason, and each kind of reason occurs.
func TestEveryIllegalTripleHasAReason(t *testing.T) {
	gen := rules.NewGenerator()
	kinds := []string{"cannot be reached", "active line of player", "no piece", "not empty"}
	seen := map[string]int{}
	n := 0
	gygestest.Positions(5, func(b rules.Board, seat game.Seat) bool {
		legal := map[rules.Move]bool{}
		for _, m := range gen.Moves(b, seat, nil) {
			legal[m] = true
		}
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		for range 60 {
			m := rules.NewMove(rng.IntN(rules.Squares), rng.IntN(rules.Squares+2), rng.IntN(rules.Squares))
			if rng.IntN(2) == 0 {
				m = rules.NewMove(m.Start(), m.End(), rules.NoDrop)
			}
			if gen.Legal(b, seat, m) != legal[m] {
				t.Fatalf("%s %d: Legal(%s) is %v", b, seat, m, !legal[m])
			}
			if legal[m] {
				continue
			}
			rule := gen.Explain(b, seat, m)
			for _, kind := range kinds {
				if strings.Contains(rule, kind) {
					seen[kind]++
				}
			}
		}
		n++
		return n < 300
	})
	for _, kind := range kinds {
		if seen[kind] == 0 {
			t.Errorf("no triple is refused with %q: %v", kind, seen)
		}
	}
}
