package santorini

import (
	"os"
	"testing"
)

// TestLongPerftStart holds the start position deeper than the vectors do. The
// numbers come from a second program with plain arrays and no bulk count. (A
// figure of 1,627,348,816 for depth 5 goes round: it is what a worker on the
// ground that may climb to level 2 gives, and its depth 3 is not the vectors'.)
func TestLongPerftStart(t *testing.T) {
	want := []uint64{1, 68, 5156, 350208, 24545388, 1578268436}
	if os.Getenv("THERA_LONG") != "1" {
		want = want[:5]
	}
	p, _, err := parse("0000000000000000000000000/1/mortal:11,13/mortal:7,17")
	if err != nil {
		t.Fatal(err)
	}
	for depth, n := range want {
		if got, err := count(t.Context(), &p, depth); err != nil || got != n {
			t.Errorf("depth %d: %d (%v), want %d", depth, got, err, n)
		}
	}
}
