package santorini

import "testing"

// TestNoAllocation: once a frame has grown, neither generating nor playing
// allocates, whatever the gods are.
func TestNoAllocation(t *testing.T) {
	f, wins := newFrame(), newFrame()
	for g := range godCount {
		for _, p := range examplesOf(g) {
			var sum uint64
			run := func() {
				f.generate(&p)
				wins.winning(&p)
				for _, m := range f.moves {
					next := f.child(&p, m)
					sum += next.key()
				}
			}
			run()
			if n := testing.AllocsPerRun(3, run); n != 0 {
				t.Errorf("%s: %v allocations in %s", g, n, p.text(formV2))
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, g := range []God{mortal, hermes, poseidon, polyphemus, castor} {
		p := examplesOf(g)[0]
		p.up = [4]uint32{1 << 24}
		b.Run(g.String(), func(b *testing.B) {
			f := newFrame()
			for b.Loop() {
				f.generate(&p)
			}
			b.ReportMetric(float64(len(f.moves)), "turns")
		})
	}
}
