package santorini

import (
	"os"
	"strings"
	"testing"
)

// TestGuideShowsRealCode: the example of GODS.md is the file as it stands, and
// the tests it names exist.
func TestGuideShowsRealCode(t *testing.T) {
	guide, err := os.ReadFile("GODS.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("god_europa.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), "```go\n"+string(code)+"```\n") {
		t.Error("GODS.md does not show god_europa.go as it is")
	}
	for _, name := range []string{"turns.go", "limits.go", "god.go", "gods.go", "bans.go", "action.go", "eval_gods.go", "wire_write.go"} {
		if !strings.Contains(string(guide), name) {
			t.Errorf("GODS.md does not name %s", name)
		}
		if _, err := os.Stat(name); err != nil {
			t.Errorf("GODS.md names %s: %v", name, err)
		}
	}
}
