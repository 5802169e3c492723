package rules_test

import (
	"testing"

	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
)

// TestNoAllocation checks that generating and playing turns does not allocate once
// the lists have grown, for every god.
func TestNoAllocation(t *testing.T) {
	l, wins := rules.NewMoveList(), rules.NewMoveList()
	for g := range rules.GodCount {
		for _, p := range rules.Examples(g) {
			var sum uint64
			run := func() {
				l.Generate(&p)
				wins.GenerateWins(&p)
				for _, m := range l.Moves {
					next := l.Child(&p, m)
					sum += next.Key()
				}
			}
			run()
			if n := testing.AllocsPerRun(3, run); n != 0 {
				t.Errorf("%s: %v allocations in %s", g, n, rules.Text(&p, rules.V2))
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, g := range santorinitest.Gods(b, "mortal", "hermes", "poseidon", "polyphemus", "castor") {
		p := rules.Examples(g)[0]
		p.Above = [4]uint32{1 << 24}
		b.Run(g.String(), func(b *testing.B) {
			l := rules.NewMoveList()
			for b.Loop() {
				l.Generate(&p)
			}
			b.ReportMetric(float64(len(l.Moves)), "turns")
		})
	}
}
