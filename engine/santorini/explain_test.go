package santorini

import (
	"slices"
	"testing"
)

// TestExplainAgrees: the chain that is sought for one state is the one that
// the list of all turns has, also for gods of thousands of turns.
func TestExplainAgrees(t *testing.T) {
	for _, text := range []string{
		startText,
		"0102100120001020100000010/1/artemis:7,12/mortal:11,17",
		"0102100120001020100000010/1/hermes:B3,D3/mortal:C4,C2",
		"0102100120001020100000010/1/hydra:B3,D3/chronus:C4,C2",
		"0000000000000000000000000/1/eros/mortal",
		"0402140120401020100004010/1/poseidon:B3,D3/harpies:C4,C2",
	} {
		p := mustParse(t, text)
		found := allTurns(&p)
		if len(found) < 10 {
			t.Fatalf("%s: %d turns", text, len(found))
		}
		for i := 0; i < len(found); i += 1 + len(found)/100 {
			if chain, ok := explain(&p, &found[i].next); !ok || !slices.Equal(chain, found[i].chain) {
				t.Errorf("%s to %s by %v, listed by %v", text, found[i].next.text(formV2), chain, found[i].chain)
			}
		}
		if chain, ok := explain(&p, &p); ok {
			t.Errorf("%s leads to itself by %v", text, chain)
		}
	}
}
