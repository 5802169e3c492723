package config

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// TestALimitKindIsOneDeclaration builds the arena with one more line in
// arena.Limit and runs testdata/kind/plies_test.go on it.
func TestALimitKindIsOneDeclaration(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary; the suite runs it without -short")
	}
	text, err := os.ReadFile("../plan.go")
	gametest.OK(t, err)
	const last = "\tMaxMove "
	wider := strings.Replace(string(text), last, "\tPlies int `yaml:\"plies\" kind:\"work\" range:\"1 to 50\" usage:\"plies=N\" condition:\"yes\" doc:\"plies of a game\"`\n"+last, 1)
	if wider == string(text) {
		t.Fatalf("plan.go has no line %q", last)
	}
	at := filepath.Join(t.TempDir(), "plan.go")
	gametest.OK(t, os.WriteFile(at, []byte(wider), 0o644))
	dir, err := os.Getwd()
	gametest.OK(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(dir, "..", "plan.go"): at,
		filepath.Join(dir, "plies_test.go"): filepath.Join(dir, "testdata", "kind", "plies_test.go"),
	}})
	gametest.OK(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	gametest.OK(t, os.WriteFile(file, overlay, 0o644))
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", file, "-run", "^TestPlies$", "-v", ".").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPlies") {
		t.Errorf("%v\n%s", err, out)
	}
}
