package tournament

import (
	"testing"

	"thera/arena"
)

// BenchmarkFold folds a million games of a test that stays undecided, of three
// pairings, and of many cells, and summarises them.
func BenchmarkFold(b *testing.B) {
	const games = 1_000_000
	for _, tt := range []struct {
		name string
		plan *arena.Plan
	}{
		{"sprt", planOf("sprt", 2, games/2)},
		{"round-robin", planOf("round-robin", 3, games/6+1)},
		{"cells", with(planOf("cells", 2, games/2000/2+1), func(p *arena.Plan) { p.Openings.Count = 2000 })},
	} {
		tt.plan.SPRT.Elo0, tt.plan.SPRT.Elo1 = -0.01, 0.01
		f, err := New(tt.plan)
		if err != nil {
			b.Fatal(err)
		}
		var done []arena.Finished
		for w, state := f.Next(); state == Ready && len(done) < games; w, state = f.Next() {
			for _, leg := range w.Legs {
				done = append(done, *gameOf(tt.plan, byStrength(45), w, leg))
			}
		}
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sum, err := Summarize(tt.plan, arena.RunInfo{}, done)
				if err != nil || sum.Counted < len(done)-2 {
					b.Fatal(err, sum.Counted, sum.Stop)
				}
			}
		})
	}
}
