package store

import (
	"os"
	"strings"
	"testing"
)

// A password in an engine's environment is not in the database.
func TestEnvironmentIsNotKept(t *testing.T) {
	s := openTest(t)
	plan := planOf("a")
	plan.Engines[0].Env = []string{"A=1", "TOKEN=hunter2"}
	run := beginTest(t, s, plan)
	_, engines, _, err := s.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	env := engines[0].Env
	if len(env) != 2 || !strings.HasPrefix(env[0], "A=sha256:") || !strings.HasPrefix(env[1], "TOKEN=sha256:") || env[0][2:] == env[1][6:] {
		t.Errorf("kept %q", env)
	}
	if err := s.Close(); err != nil { // everything is in the one file then
		t.Fatal(err)
	}
	raw, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(raw), "hunter2") || !strings.Contains(string(raw), "TOKEN=") {
		t.Errorf("the database holds the value, or not the name (%v)", err)
	}
}
