package rules_test

import (
	"testing"

	"thera/engine/santorini/rules"
)

func BenchmarkPerft(b *testing.B) {
	p, _, err := rules.Parse("0000000000000000000000000/1/mortal:11,13/mortal:7,17")
	if err != nil {
		b.Fatal(err)
	}
	var leaves uint64
	for b.Loop() {
		n, err := rules.Count(b.Context(), &p, 4)
		if err != nil || n != 24545388 {
			b.Fatalf("%d leaves, %v", n, err)
		}
		leaves += n
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
