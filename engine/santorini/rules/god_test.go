package rules

import "testing"

// TestGodTable checks that every god is declared completely.
func TestGodTable(t *testing.T) {
	if GodCount < 53 {
		t.Errorf("only %d gods", GodCount)
	}
	names := map[string]bool{}
	for g := range GodCount {
		p := gods[g]
		if names[p.name] || p.text == "" || p.turns == nil || p.workers < 2 || p.workers > 3 {
			t.Errorf("%s: incomplete or twice", p.name)
		}
		names[p.name] = true
		if (p.state.parse == nil) != (p.state.format == nil) {
			t.Errorf("%s keeps something that cannot be read or written", p.name)
		}
		for _, b := range p.bans {
			if _, ok := ParseGod(b.with); !ok || b.reason == "" {
				t.Errorf("%s has a ban without a god or a reason: %+v", p.name, b)
			}
		}
		for _, r := range p.printed {
			if _, ok := ParseGod(r.opponent); !ok && r.opponent != "" || r.name == "" {
				t.Errorf("%s has a printed rule without a god or a name: %+v", p.name, r)
			}
		}
	}
}
