package rules

import "testing"

func TestHomeRowsAreDistinct(t *testing.T) {
	seen := map[[6]int]bool{}
	for n := range arrangements {
		seen[homeRow(n)] = true
	}
	if len(seen) != arrangements {
		t.Errorf("%d home rows, want %d", len(seen), arrangements)
	}
}
