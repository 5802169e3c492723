package rules

import (
	"testing"
)

// TestGodTable checks that every god is declared completely.
func TestGodTable(t *testing.T) {
	const want = 53
	if GodCount != want {
		t.Errorf("%d gods, want %d", GodCount, want)
	}
	names := map[string]bool{}
	for g := range GodCount {
		p := gods[g]
		if names[p.name] || p.text == "" || p.turns == nil || p.workers < 2 || p.workers > 3 {
			t.Errorf("%s: incomplete or twice", p.name)
		}
		names[p.name] = true
		if (p.parse == nil) != (p.format == nil) {
			t.Errorf("%s keeps something that cannot be read or written", p.name)
		}
	}
}
