package santorini

import (
	"fmt"
	"testing"

	"thera/engine/santorini/rules"
)

// TestRoles checks that every god has an example that shows its power.
func TestRoles(t *testing.T) {
	for _, role := range New().Roles() {
		g, _ := rules.ParseGod(role.Name)
		if back, err := New().Parse(role.Example.String()); err != nil || back.String() != role.Example.String() {
			t.Errorf("%s: example %s: %v", role.Name, role.Example, err)
			continue
		}
		if (role.State != "") != g.HasState() {
			t.Errorf("%s: state %q", role.Name, role.State)
		}
		switch {
		case g.LimitsOpponent():
			var n [4]int
			_, err := fmt.Sscanf(role.Note, "mortal has %d turns here and %d of them win, against mortal %d and %d", &n[0], &n[1], &n[2], &n[3])
			if err != nil || n[0] == n[2] && n[1] == n[3] {
				t.Errorf("%s limits nobody: %s", role.Name, role.Note)
			}
		case g != rules.Mortal && !g.LimitsOpponent() && role.After == nil:
			t.Errorf("%s: no example shows the power", role.Name)
		}
	}
}
